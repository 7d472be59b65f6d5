import type { IncomingMessage } from 'node:http';
import { GatewayError, type ErrorCode, type Problem } from '../domain/errors.js';
import { assertScopes, viewerOf } from '../domain/access/workspace-access.js';
import type { Scope } from '../domain/access/scopes.js';
import type { Caller, Viewer } from '../domain/access/viewer.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Services } from '../services/services.js';
import type { JsonResponse } from '../http/responses.js';
import type { JsonSchema } from './bodies/json-schema.js';
import type { FieldMapping } from './requests/field-mapping.js';
import type { QueryParams, RawQuery } from './requests/params.js';

/** The headers that route handlers read, as Node parses them. */
export interface RawHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'idempotency-key'?: string | string[] | undefined;
}

/** The parts of a request that a route handler can read. */
export interface RestRequest {
  /** Value of `{id}`, `{job_id}` or `{webhook_id}` in the path; empty if the path has neither. */
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

/** A header, as the OpenAPI document describes it. */
export interface HeaderDefinition {
  readonly name: string;
  readonly description: string;
  /** An example value. */
  readonly example: string | number;
  /** A string by default. */
  readonly schema?: JsonSchema;
}

/** A response header. */
export interface ResponseHeader extends HeaderDefinition {
  /** Whether every response of the operation has the header. */
  readonly isAlwaysSent?: true;
}

/** Tags of the OpenAPI document, with their descriptions. */
export const ROUTE_TAGS = {
  Posts: 'Create, list, get, update and delete posts.',
  Jobs: 'Check the status of asynchronous operations.',
  Workspaces: 'The workspaces that the user of the key is a member of.',
  Accounts: 'The connected social accounts of a workspace.',
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
  readonly params: QueryParams;
  readonly requestHeaders: readonly HeaderDefinition[];
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
  readonly responseHeaders: readonly ResponseHeader[];
  /** Errors in addition to those of authentication. */
  readonly errorCodes: readonly ErrorCode[];
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

/**
 * A route inside the workspace of `Service-Workspace-Id`. Checks the workspace, then the scope
 * (D35).
 */
export const inWorkspace = (
  definition: RouteDefinition,
  handle: (
    viewer: Viewer,
    request: RestRequest,
    dependencies: RouteDependencies,
  ) => Promise<JsonResponse>,
): Route => ({
  ...definition,
  needsWorkspace: true,
  async handle(authentication, request, dependencies) {
    const viewer = viewerOf(authentication);
    assertScopes(authentication.caller, definition.scopes);
    return handle(viewer, request, dependencies);
  },
});

/** A route that needs no workspace. */
export const withoutWorkspace = (
  definition: RouteDefinition,
  handle: (
    caller: Caller,
    request: RestRequest,
    dependencies: RouteDependencies,
  ) => Promise<JsonResponse>,
): Route => ({
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
