import 'reflect-metadata'; // before any decorator runs
import { isEnumType, type GraphQLInputObjectType } from 'graphql';
import type { ErrorCode } from '../domain/errors.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Clock } from '../services/clock.js';
import type { Services } from '../services/services.js';
import type { HttpResponse } from '../http/responses.js';
import { createApolloExecution, type ExecutedResponse } from './apollo-server.js';
import { GatewayContext } from './context.js';
import { createCompiledResponses } from './compiled/compiled-responses.js';
import { createCompiledSubscriptions } from './compiled/compiled-subscriptions.js';
import { createDocuments } from './document/prepared-document.js';
import {
  createFormatError,
  NOT_ACCEPTABLE,
  presentDocumentErrors,
  presentHead,
  type ErrorLog,
} from './errors.js';
import { acceptsEventStream, chooseResponseMediaType } from './content-negotiation.js';
import { buildGatewaySchema, postPatchType } from './schema/schema.js';
import {
  createSubscriptions,
  toStreamOfOne,
  type ResultStream,
} from './subscription/result-stream.js';
import { sourceOf } from './subscription/read-operation.js';

interface GraphqlServerOptions {
  readonly services: Services;
  readonly clock: Clock;
  readonly log: ErrorLog;
  /** Whether compiled execution is used. Responses are the same without it, but slower. */
  readonly compiles?: boolean;
}

/** An authenticated HTTP request. */
interface GraphqlRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** Query string with its question mark, or empty. */
  readonly search: string;
}

interface GraphqlResponse extends Required<HttpResponse> {
  /**
   * Type and root field of the operation, see `PreparedOperation`; null if its document was
   * rejected.
   */
  readonly operation: string | null;
  /** Code of the first error in the body. */
  readonly errorCode: ErrorCode | null;
}

/** The GraphQL API, without HTTP and authentication. */
export interface GraphqlServer {
  /** Handles a request. Errors in the request are part of the response, never thrown. */
  handle(request: GraphqlRequest, authentication: Authentication): Promise<GraphqlResponse>;
  /**
   * Handles a request whose client accepts an event stream: a subscription, or any operation if the
   * client accepts nothing else. Null for other requests. Errors in the request are a result.
   * @throws GatewayError RATE_LIMITED, UNAVAILABLE
   */
  openStream(request: GraphqlRequest, authentication: Authentication): Promise<ResultStream | null>;
  /** Input type of a post update. The REST API derives its bodies from it. */
  readonly postPatchType: GraphQLInputObjectType;
}

/**
 * Creates the GraphQL server: GraphQL over HTTP without a web framework, by compiled execution or
 * the request pipeline of Apollo Server.
 */
export function createGraphqlServer(options: GraphqlServerOptions): GraphqlServer {
  const { services, clock, compiles = true } = options;
  const schema = buildGatewaySchema();
  const formatError = createFormatError((name) => {
    const type = schema.getType(name);
    return isEnumType(type) ? type.getValues().map((value) => value.name) : undefined;
  });
  const executeByApollo = createApolloExecution({ ...options, compiles, schema, formatError });
  const respondCompiled = compiles ? createCompiledResponses(schema) : null;
  const prepareDocument = createDocuments(schema);
  const subscriptions = createSubscriptions({
    ...options,
    schema,
    prepareDocument,
    formatError,
    executeCompiled: compiles ? createCompiledSubscriptions(schema) : null,
  });

  async function handle(
    request: GraphqlRequest,
    authentication: Authentication,
  ): Promise<GraphqlResponse> {
    const type = chooseResponseMediaType(toSingleValue(request.headers.accept));
    // Checked before execution, so that no change is made if the caller cannot read the response.
    if (!type) return { ...NOT_ACCEPTABLE, operation: null, errorCode: 'BAD_USER_INPUT' };
    const source = sourceOf(request);
    // Apollo Server rejects a request without a document.
    const { prepared, errors } = source ? prepareDocument(source) : NO_DOCUMENT;
    if (errors) return { ...presentDocumentErrors(errors, type, formatError), operation: null };
    const context = new GatewayContext({
      services,
      clock,
      authentication,
      requestId: toSingleValue(request.headers['x-request-id']) ?? '',
      document: prepared,
    });
    const execute = async (): Promise<ExecutedResponse> => {
      const compiled = (await respondCompiled?.(request, context)) ?? null;
      if (compiled !== null) return { status: 200, body: compiled };
      const contentType = toSingleValue(request.headers['content-type']);
      return executeByApollo({ ...request, contentType }, context);
    };
    const { status, body, allow } = await execute();
    const head = presentHead(type, status, context.state);
    return {
      status: head.status,
      headers: { ...head.headers, ...(allow && { Allow: allow }) },
      body,
      operation: context.state.operation?.name ?? null,
      errorCode: context.state.errorCode,
    };
  }

  async function openStream(
    request: GraphqlRequest,
    authentication: Authentication,
  ): Promise<ResultStream | null> {
    const { headers } = request;
    const accept = toSingleValue(headers.accept);
    if (!acceptsEventStream(accept)) return null;
    const received = {
      ...request,
      requestId: toSingleValue(headers['x-request-id']) ?? '',
      lastEventId: toSingleValue(headers['last-event-id']),
      acceptsJson: chooseResponseMediaType(accept) !== null,
    };
    const stream = await subscriptions.start(received, authentication);
    if (stream || received.acceptsJson) return stream;
    const asJson = { ...request, headers: { ...headers, accept: 'application/json' } };
    const response = await handle(asJson, authentication);
    return toStreamOfOne(response.body, response);
  }

  return { postPatchType: postPatchType(schema), handle, openStream };
}

const toSingleValue = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

const NO_DOCUMENT = { prepared: null, errors: null };
