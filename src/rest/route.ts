import type { IncomingMessage } from 'node:http';
import {
  type Scope,
  type Caller,
  type Viewer,
  assertScopes,
  canReadPosts,
  viewerOf,
} from '../domain/access/viewer.js';
import { GatewayError, type ErrorCode, type Problem } from '../domain/errors.js';
import type { JsonResponse } from '../http/responses.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Services } from '../services/services.js';
import { readBody, type BodyReader } from '../http/body-readers.js';
import type { FieldMapping } from './field-mapping.js';
import {
  readIdempotencyKey,
  type HeaderDefinition,
  type RawHeaders,
  type ResponseHeader,
} from './headers.js';
import {
  PAGE_PARAMS,
  readParams,
  type QueryParam,
  type QueryParams,
  type QueryParamValues,
  type RawQuery,
} from './query-params.js';

/** The parts of a request that a route handler can read. */
export interface RestRequest {
  /** Whose key the request has. */
  readonly caller: Caller;
  /** Value of the parameter of the path, such as `{id}` or `{webhook_id}`; empty if it has none. */
  readonly id: string;
  readonly query: RawQuery;
  readonly headers: RawHeaders;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** The request itself, for routes whose body is a form. */
  readonly source: IncomingMessage;
}

/** Dependencies of the route handlers. */
export interface RouteDependencies {
  readonly services: Services;
  readonly fieldMapping: FieldMapping;
}

/** Tags of the OpenAPI document, with their descriptions. */
export const ROUTE_TAGS = {
  Posts: 'Create, list, get, update and delete posts.',
  Jobs: 'Check the status of asynchronous operations.',
  Workspaces: 'The workspaces that the user of the key is a member of.',
  Accounts: 'The social accounts of a workspace: list, connect and disconnect them.',
  'Calendar feeds': 'Addresses from which calendar programs read posts.',
  Labels: 'The labels of a workspace: list, rename, recolor, merge and delete them.',
  Media: 'The media library of a workspace: list media and upload files.',
  Webhooks: 'Receivers of the events of a workspace: manage them, and list their deliveries.',
  Sandbox: 'The sandbox network, for tests: read its posts, inject faults and move its clock.',
} as const;
type RouteTag = keyof typeof ROUTE_TAGS;

/** Definition of a route, for the router and the OpenAPI document. */
export interface RouteDefinition {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In OpenAPI syntax: `/v1/posts/{id}`. */
  readonly path: string;
  /** Required scopes: one of the lists must be granted completely, as with `@requiresScopes`. */
  readonly scopes: readonly (readonly Scope[])[];
  readonly operationId: string;
  readonly tag: RouteTag;
  readonly summary: string;
  /** Details that do not fit into the summary. */
  readonly description?: string;
  readonly params?: QueryParams;
  readonly requestHeaders?: readonly HeaderDefinition[];
  /** Name of the schema of the request body. */
  readonly requestSchema?: string;
  /** JSON by default. */
  readonly requestType?: 'multipart/form-data';
  /** Maximum size of the body, if it is not that of other routes. */
  readonly maxBodyBytes?: number;
  /** Name of the schema of the 202 response, if the route starts a job. */
  readonly acceptedSchema?: string;
  /** Name of the schema of the 200 response. */
  readonly responseSchema: string;
  readonly responseHeaders?: readonly ResponseHeader[];
  /** Errors in addition to those of authentication. */
  readonly errorCodes?: readonly ErrorCode[];
}

/** A route with its handler. */
export interface Route extends RouteDefinition {
  readonly needsWorkspace: boolean;
  handle(
    authentication: Authentication,
    request: RestRequest,
    dependencies: RouteDependencies,
  ): Promise<JsonResponse>;
}

/** Handles a route: reads the request, calls a service, presents the result. */
type Handler<User> = (
  user: User,
  request: RestRequest,
  dependencies: RouteDependencies,
) => Promise<JsonResponse>;
/** Handles a route inside a workspace. */
export type WorkspaceHandler = Handler<Viewer>;

/** A post without its content is no post, and neither is a label without its name. */
const CONTENT_SCHEMAS = ['PostDetail', 'Label'];

/** Whether a key without `posts:read` gets 204 instead of the response, which it must not read. */
export const isWithheld = ({ method, responseSchema }: RouteDefinition): boolean =>
  method !== 'GET' && CONTENT_SCHEMAS.includes(responseSchema);

/** The response to a change for a key without `posts:read`: a change must not be a way to read. */
function withoutPosts(definition: RouteDefinition, response: JsonResponse): JsonResponse {
  if (response.status >= 300) return response;
  if (isWithheld(definition)) return { ...response, status: 204, body: undefined };
  if (definition.responseSchema !== 'ActionResults') return response;
  const body = response.body as { readonly results: readonly object[] };
  const results = body.results.map((result) => ({ ...result, post: null }));
  return { ...response, body: { ...body, results } };
}

/**
 * A route inside the workspace of `Service-Workspace-Id`. Checks the workspace, then the scope
 * (D35).
 */
export const inWorkspace = (definition: RouteDefinition, handle: WorkspaceHandler): Route => ({
  ...definition,
  needsWorkspace: true,
  async handle(authentication, request, dependencies) {
    const viewer = viewerOf(authentication);
    assertScopes(authentication.caller, definition.scopes);
    const response = await handle(viewer, request, dependencies);
    return canReadPosts(viewer) ? response : withoutPosts(definition, response);
  },
});

/** A route that needs no workspace. */
export const withoutWorkspace = (definition: RouteDefinition, handle: Handler<Caller>): Route => ({
  ...definition,
  needsWorkspace: false,
  async handle({ caller }, request, dependencies) {
    assertScopes(caller, definition.scopes);
    return handle(caller, request, dependencies);
  },
});

/** @throws GatewayError BAD_USER_INPUT, which lists every problem of the request (D15, D21) */
export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new GatewayError('BAD_USER_INPUT', undefined, problems);
}

/** Reads the query of a request that changes nothing. Unknown parameters are ignored (D15). */
export function readQuery<P extends QueryParams>(params: P, query: RawQuery): QueryParamValues<P> {
  const { values, problems } = readParams(params, query, 'ignore');
  assertNoProblems(problems);
  return values;
}

/** Items per page (D43). */
const PER_PAGE = 100;
/** The largest offset that PostgreSQL accepts here; no list is that long. */
const MAX_OFFSET = 2_147_483_647;

/** The requested part of a list with pages (PAGE_PARAMS). */
export function readPage(query: RawQuery): { limit: number; offset: number } {
  const { page = 0 } = readQuery(PAGE_PARAMS, query);
  return { limit: PER_PAGE, offset: Math.min(page * PER_PAGE, MAX_OFFSET) };
}

/** For changes without query parameters. */
export const assertNoParams = ({ query }: RestRequest): void =>
  assertNoProblems(readParams({}, query, 'reject').problems);

/** Reads the body of a change without query parameters. */
export function readBodyOnly<T>(
  reader: BodyReader<T>,
  { query, body }: Pick<RestRequest, 'query' | 'body'>,
): T {
  const { value, problems } = readBody(reader, body);
  assertNoProblems([...readParams({}, query, 'reject').problems, ...problems]);
  return value!;
}

/**
 * Reads the query and the idempotency key of a change.
 * @throws GatewayError BAD_USER_INPUT with their problems and those of the body (D15, D21)
 */
export function readChange<P extends QueryParams & { readonly dry_run: QueryParam<boolean> }>(
  params: P,
  { query, headers }: RestRequest,
  bodyProblems: readonly Problem[] = [],
) {
  const { values, problems } = readParams(params, query, 'reject');
  const key = readIdempotencyKey(headers);
  assertNoProblems([...problems, ...key.problems, ...bodyProblems]);
  return { values, idempotencyKey: key.key, dryRun: values.dry_run ?? false };
}
