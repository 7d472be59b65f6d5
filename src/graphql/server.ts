import 'reflect-metadata'; // before any decorator runs
import { ApolloServer, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLInputObjectType } from 'graphql';
import type { ErrorCode, GatewayError } from '../domain/errors.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Clock } from '../services/clock.js';
import type { Services } from '../services/services.js';
import { responsePlugin, type ErrorLog } from './response-plugin.js';
import { createContext, type GatewayContext } from './context.js';
import { createFormatError } from './errors/format-error.js';
import { createDocumentCheck } from './limits/document-check.js';
import { LIMITS } from './limits/limits.js';
import { chooseMediaType, type MediaType } from './media-type.js';
import { stringifyResult } from './compiled/json-text.js';
import { compiledExecutionPlugin } from './compiled/plugin.js';
import { buildGatewaySchema, postPatchType } from './schema.js';

interface GraphqlServerOptions {
  readonly services: Services;
  readonly clock: Clock;
  readonly log: ErrorLog;
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

interface GraphqlResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /**
   * Type and root field of the operation, see `createOperationNames`; null if it was rejected
   * before parsing.
   */
  readonly operation: string | null;
  /** Code of the first error in the body. */
  readonly errorCode: ErrorCode | null;
}

/** The GraphQL API, without HTTP and authentication. */
export interface GraphqlServer {
  /** Handles a request. Errors in the request are part of the response, never thrown. */
  handle(request: GraphqlRequest, authentication: Authentication): Promise<GraphqlResponse>;
  /** Input type of a post update. The REST API derives its bodies from it. */
  readonly postPatchType: GraphQLInputObjectType;
}

/**
 * Creates the GraphQL server: GraphQL over HTTP on the request pipeline of Apollo Server, without a
 * web framework.
 */
export function createGraphqlServer({ services, clock, log }: GraphqlServerOptions): GraphqlServer {
  const { server, schema } = createApolloServer(log);
  const checkDocument = createDocumentCheck();
  return {
    postPatchType: postPatchType(schema),
    async handle(request, authentication) {
      const type = chooseMediaType(toSingleValue(request.headers.accept));
      // Checked before execution, so that no change is made if the caller cannot read the response.
      if (!type) return rejectRequest(NOT_ACCEPTABLE, 'application/json', 406);
      const violations = checkDocument(sourceOf(request));
      if (violations.length > 0)
        return rejectRequest(
          violations.map(({ message, code }) => ({ message, extensions: { code } })),
          type,
          statusFor(type, 400),
        );
      const context = createContext({
        services,
        clock,
        authentication,
        requestId: toSingleValue(request.headers['x-request-id']) ?? '',
      });
      const {
        status = 200,
        headers,
        body,
      } = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: toHttpRequest(request),
        context: () => Promise.resolve(context),
      });
      if (body.kind === 'chunked') throw new Error('Incremental delivery is not supported.');
      const allow = headers.get('allow');
      return {
        status: context.state.isWellFormed ? statusFor(type, status) : status,
        headers: { 'Content-Type': `${type}; charset=utf-8`, ...(allow && { Allow: allow }) },
        body: body.string,
        operation: context.state.operation,
        errorCode: context.state.errorCode,
      };
    },
  };
}

function createApolloServer(log: ErrorLog) {
  const schema = buildGatewaySchema();
  const server = new ApolloServer<GatewayContext>({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    // formatError removes suggestions; the regular expression of Apollo Server takes quadratic time
    hideSchemaDetailsFromClientErrors: false,
    csrfPrevention: {
      requestHeaders: [
        'authorization',
        'service-workspace-id',
        'x-apollo-operation-name',
        'apollo-require-preflight',
      ],
    },
    parseOptions: { maxTokens: LIMITS.tokens },
    executionOptions: { maxCoercionErrors: LIMITS.variableErrors },
    formatError: createFormatError(schema),
    stringifyResult,
    stopOnTerminationSignals: false,
    logger: {
      debug() {},
      info() {},
      warn: (message: string) => log.warn({}, message),
      error: (message: string) => log.error({}, message),
    },
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginCacheControlDisabled(),
      responsePlugin({ schema, log }),
      compiledExecutionPlugin(schema),
    ],
  });
  server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  return { server, schema };
}

const toSingleValue = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

function toHttpRequest({ method, headers, body, search }: GraphqlRequest): HTTPGraphQLRequest {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, toSingleValue(value) ?? '');
  return { method, headers: map, body, search };
}

function sourceOf({ method, body, search }: GraphqlRequest): string {
  const source =
    method === 'POST'
      ? (body as { query?: unknown } | null | undefined)?.query
      : new URLSearchParams(search).get('query');
  return typeof source === 'string' ? source : '';
}

/**
 * With plain JSON, the response to a well-formed request is 200: a 400 could come from an
 * intermediary (GraphQL over HTTP).
 */
const statusFor = (type: MediaType, status: number): number =>
  type === 'application/json' && status === 400 ? 200 : status;

type ResponseErrors = readonly {
  readonly message: string;
  readonly extensions: Pick<GatewayError, 'code'>;
}[];
const NOT_ACCEPTABLE: ResponseErrors = [
  {
    message:
      'Responses are application/graphql-response+json or application/json, but the Accept header allows neither.',
    extensions: { code: 'BAD_USER_INPUT' },
  },
];
const rejectRequest = (
  errors: ResponseErrors,
  type: MediaType,
  status: number,
): GraphqlResponse => ({
  status,
  headers: { 'Content-Type': `${type}; charset=utf-8` },
  body: JSON.stringify({ errors }),
  operation: null,
  errorCode: errors[0]?.extensions.code ?? null,
});
