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
import type { Admission } from '../services/access/access.js';
import type { Clock } from '../services/ports.js';
import type { Services } from '../services/services.js';
import { answerPlugin, type FaultLog } from './response-plugin.js';
import { createContext, type GatewayContext } from './context.js';
import { createFormatError } from './errors.js';
import { createDocumentLimits, LIMITS } from './limits/limits.js';
import { chooseMediaType, type MediaType } from './media-type.js';
import { stringifyResult } from './compiled/json-text.js';
import { plannedPlugin } from './compiled/planned-plugin.js';
import { buildGatewaySchema, postPatchType } from './schema.js';

interface GraphqlDoorParts {
  readonly services: Services;
  readonly clock: Clock;
  readonly log: FaultLog;
}

/** What of a request reaches this door, which is behind the gate. */
interface DoorRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** With its question mark, or empty. */
  readonly search: string;
}

interface DoorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Type and root field of the operation, as `createOperationNames` says them; null where it was refused before it was understood. */
  readonly operation: string | null;
  /** The code of the first error in the body. */
  readonly refusal: ErrorCode | null;
}

export interface GraphqlDoor {
  /** Answers one request; never throws for what a caller sends. */
  handle(request: DoorRequest, admission: Admission): Promise<DoorAnswer>;
  /** The input type of a change of a post: v1 reads its bodies by it. */
  readonly postPatch: GraphQLInputObjectType;
}

/** GraphQL over HTTP on Apollo Server's own pipeline, without a framework between. */
export function createGraphqlDoor({ services, clock, log }: GraphqlDoorParts): GraphqlDoor {
  const { server, schema } = openServer(log);
  const excessesOf = createDocumentLimits();
  return {
    postPatch: postPatchType(schema),
    async handle(request, admission) {
      const type = chooseMediaType(single(request.headers.accept));
      // Before anything runs: a change must not be made for an answer that the caller cannot read.
      if (!type) return refuse(NOT_ACCEPTABLE, 'application/json', 406);
      const excesses = excessesOf(sourceOf(request));
      if (excesses.length > 0)
        return refuse(
          excesses.map(({ message, code }) => ({ message, extensions: { code } })),
          type,
          statusFor(type, 400),
        );
      const context = createContext({
        services,
        clock,
        admission,
        requestId: single(request.headers['x-request-id']) ?? '',
      });
      const {
        status = 200,
        headers,
        body,
      } = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: toHttpRequest(request),
        context: () => Promise.resolve(context),
      });
      if (body.kind === 'chunked') throw new Error('nothing here is delivered in parts');
      const allow = headers.get('allow');
      return {
        status: context.run.isWellFormed ? statusFor(type, status) : status,
        headers: { 'Content-Type': `${type}; charset=utf-8`, ...(allow && { Allow: allow }) },
        body: body.string,
        operation: context.run.operation,
        refusal: context.run.refusal,
      };
    },
  };
}

function openServer(log: FaultLog) {
  const schema = buildGatewaySchema();
  const server = new ApolloServer<GatewayContext>({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    hideSchemaDetailsFromClientErrors: false, // formatError takes the hints out; Apollo Server's own way reads a message in the square of its length
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
      answerPlugin({ schema, log }),
      plannedPlugin(schema),
    ],
  });
  server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  return { server, schema };
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

function toHttpRequest({ method, headers, body, search }: DoorRequest): HTTPGraphQLRequest {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, single(value) ?? '');
  return { method, headers: map, body, search };
}

function sourceOf({ method, body, search }: DoorRequest): string {
  const source =
    method === 'POST'
      ? (body as { query?: unknown } | null | undefined)?.query
      : new URLSearchParams(search).get('query');
  return typeof source === 'string' ? source : '';
}

/** As plain JSON, every answer to a well-formed request is 200: there a 400 could come from anybody (GraphQL over HTTP). */
const statusFor = (type: MediaType, status: number): number =>
  type === 'application/json' && status === 400 ? 200 : status;

type Refusals = readonly {
  readonly message: string;
  readonly extensions: Pick<GatewayError, 'code'>;
}[];
const NOT_ACCEPTABLE: Refusals = [
  {
    message:
      'Answers come as application/graphql-response+json or application/json; the header Accept takes neither.',
    extensions: { code: 'BAD_USER_INPUT' },
  },
];
const refuse = (errors: Refusals, type: MediaType, status: number): DoorAnswer => ({
  status,
  headers: { 'Content-Type': `${type}; charset=utf-8` },
  body: JSON.stringify({ errors }),
  operation: null,
  refusal: errors[0]?.extensions.code ?? null,
});
