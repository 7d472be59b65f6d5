import 'reflect-metadata'; // before any decorator runs
import { isEnumType, OperationTypeNode, type GraphQLInputObjectType } from 'graphql';
import type { ErrorCode } from '../domain/errors.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Clock } from '../services/clock.js';
import type { Services } from '../services/services.js';
import { type HttpResponse, writeResponse, type HttpHandler } from '../http/responses.js';
import { createApolloExecution, type ExecutedResponse, type Plugin } from './apollo-server.js';
import {
  createCompiledExecution,
  createCompiledSubscriptions,
} from './compiled/compiled-execution.js';
import { GatewayContext } from './context.js';
import {
  chooseOperation,
  createDocuments,
  type Preparation,
  type PreparedOperation,
  readOperation,
  sourceOf,
} from './document/prepared-document.js';
import {
  createFormatError,
  NOT_ACCEPTABLE,
  presentHead,
  REJECTED_DOCUMENT_STATUS,
  type ErrorLog,
} from './errors.js';
import { acceptsEventStream, chooseResponseMediaType } from './content-negotiation.js';
import { createExecutor } from './executor.js';
import { buildGatewaySchema, postPatchType } from './schema/schema.js';
import {
  createSubscriptions,
  toStreamOfOne,
  type ResultStream,
} from './subscription/result-stream.js';
import { createEventStreams } from '../http/event-stream.js';
import { readJsonBody } from '../http/body.js';
import { browserOf, toCookieHeader } from '../http/browser.js';
import type { Authenticator } from '../http/authentication/authenticator.js';
import { GRAPHQL_PAGE } from '../http/page-texts.js';
import { isHtmlRequest, toHtmlResponse } from '../http/pages.js';
import { PAGES_OPERATION, requestContextOf, type RequestContext } from '../http/request-context.js';

interface GraphqlServerOptions {
  readonly services: Services;
  readonly clock: Clock;
  readonly log: ErrorLog;
  /** Whether compiled execution is used. Responses are the same without it, but slower. */
  readonly compiles?: boolean;
  /** Plugins of Apollo Server, besides those that the gateway has. */
  readonly plugins?: readonly Plugin[];
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
 * Creates the GraphQL server: GraphQL over HTTP without a web framework. Apollo Server executes
 * every request: compiled where that is possible, otherwise with the executor of executor.ts.
 */
export function createGraphqlServer(options: GraphqlServerOptions): GraphqlServer {
  const { services, clock, log, compiles = true, plugins = [] } = options;
  const schema = buildGatewaySchema();
  const formatError = createFormatError((name) => {
    const type = schema.getType(name);
    return isEnumType(type) ? type.getValues().map((value) => value.name) : undefined;
  });
  const executeCompiled = compiles ? createCompiledExecution(schema) : null;
  const executeCompiledForEvent = compiles ? createCompiledSubscriptions(schema) : null;
  const executor = createExecutor({ schema, executeCompiledForEvent });
  const apollo = createApolloExecution({
    schema,
    executeCompiled,
    executor,
    formatError,
    log,
    plugins,
  });
  const prepareDocument = createDocuments(schema);
  const startSubscription = createSubscriptions({
    services,
    clock,
    log,
    formatError,
    executeByApollo: apollo.execute,
    executeForEvent: executor.executeForEvent,
  });

  async function handle(
    request: GraphqlRequest,
    authentication: Authentication,
  ): Promise<GraphqlResponse> {
    const type = chooseResponseMediaType(toSingleValue(request.headers.accept));
    // Checked before execution, so that no change is made if the caller cannot read the response.
    if (!type) return { ...NOT_ACCEPTABLE, operation: null, errorCode: 'BAD_USER_INPUT' };
    const query = sourceOf(request);
    // Apollo Server rejects a request without a document.
    const { prepared, errors } = query ? prepareDocument(query) : NO_DOCUMENT;
    const context = new GatewayContext({
      services,
      clock,
      authentication,
      requestId: toSingleValue(request.headers['x-request-id']) ?? '',
      browser: () => browserOf(request.headers),
      document: prepared,
      documentErrors: errors,
    });
    const contentType = toSingleValue(request.headers['content-type']);
    // Errors of the document are reported before those of other parameters.
    const { status, body, allow }: ExecutedResponse = errors
      ? { status: REJECTED_DOCUMENT_STATUS, body: await apollo.execute({ query }, context) }
      : await apollo.respond({ ...request, contentType }, context);
    const { cookie } = context.state;
    const head = presentHead(type, status, context.state);
    return {
      status: head.status,
      headers: {
        ...head.headers,
        ...(allow && { Allow: allow }),
        ...(cookie && toCookieHeader(cookie)),
      },
      body,
      operation: context.state.operation?.name ?? null,
      errorCode: context.state.errorCode,
    };
  }

  /** The only result of a request, as a stream. */
  async function streamResponse(
    request: GraphqlRequest,
    authentication: Authentication,
  ): Promise<ResultStream> {
    const asJson = { ...request, headers: { ...request.headers, accept: 'application/json' } };
    const response = await handle(asJson, authentication);
    return toStreamOfOne(response.body, response);
  }

  async function openStream(
    request: GraphqlRequest,
    authentication: Authentication,
  ): Promise<ResultStream | null> {
    const { headers } = request;
    const accept = toSingleValue(headers.accept);
    if (!acceptsEventStream(accept)) return null;
    const acceptsJson = chooseResponseMediaType(accept) !== null;
    if (acceptsJson && !hasSubscription(prepareDocument(sourceOf(request)))) return null;
    const operationRequest = readOperation(request);
    const { prepared: document } = prepareDocument(operationRequest.query);
    const operation = document && chooseOperation(document, operationRequest.operationName);
    if (!operation || !isSubscription(operation))
      return acceptsJson ? null : streamResponse(request, authentication);
    return startSubscription({
      request: operationRequest,
      document,
      operation,
      authentication,
      requestId: toSingleValue(headers['x-request-id']) ?? '',
      lastEventId: toSingleValue(headers['last-event-id']),
    });
  }

  return { postPatchType: postPatchType(schema), handle, openStream };
}

const toSingleValue = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

const NO_DOCUMENT = { prepared: null, errors: null };

const isSubscription = ({ definition }: PreparedOperation): boolean =>
  definition.operation === OperationTypeNode.SUBSCRIPTION;
const hasSubscription = ({ prepared }: Preparation): boolean =>
  [...(prepared?.operations.values() ?? [])].some(isSubscription);

interface GraphqlHandlerOptions {
  readonly authenticator: Authenticator;
  readonly server: Pick<GraphqlServer, 'handle' | 'openStream'>;
  /**
   * Page for browsers; null without a playground: browsers get a page that explains how to send
   * requests.
   */
  readonly playground: HttpHandler | null;
}

const serveFallbackPage: HttpHandler = async (_request, response) =>
  writeResponse(response, toHtmlResponse(GRAPHQL_PAGE));

function recordOutcome(
  context: RequestContext,
  { operation, errorCode }: { operation: string | null; errorCode: ErrorCode | null },
): void {
  context.operation = operation ?? context.operation;
  context.errorCode = errorCode;
}

/**
 * Creates the handler of /graphql: the page for browsers, otherwise authentication, body and
 * GraphQL. Rejects with errors that occur before GraphQL.
 */
export function createGraphqlHandler({
  authenticator,
  server,
  playground,
}: GraphqlHandlerOptions): HttpHandler {
  const eventStreams = createEventStreams();
  return async (request, response) => {
    const { method = 'GET', headers, url = '' } = request;
    const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    const requestContext = requestContextOf(response);
    if (isHtmlRequest(request) && !new URLSearchParams(search).has('query')) {
      requestContext.operation = PAGES_OPERATION;
      await (playground ?? serveFallbackPage)(request, response);
      return;
    }
    const authentication = await authenticator.authenticate(request, response, 'graphql');
    const body = method === 'POST' ? readJsonBody(request) : undefined;
    const graphqlRequest = { method, headers, body, search };
    const stream = await server.openStream(graphqlRequest, authentication);
    if (stream) {
      recordOutcome(requestContext, stream);
      return eventStreams.send(response, stream);
    }
    const result = await server.handle(graphqlRequest, authentication);
    recordOutcome(requestContext, result);
    writeResponse(response, result);
  };
}
