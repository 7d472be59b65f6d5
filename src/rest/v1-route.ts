import { GatewayError, type ErrorCode, type Problem } from '../domain/errors.js';
import { assertScopes, viewerOf } from '../domain/access/identity.js';
import type { Scope } from '../domain/access/scopes.js';
import type { Caller, Viewer } from '../domain/access/viewer.js';
import type { Admission } from '../services/access/access.js';
import type { Services } from '../services/services.js';
import type { Answer } from './http-response.js';
import type { JsonSchema } from './bodies/json-schema.js';
import type { Dialect } from './requests/field-mapping.js';
import type { ParamTable, RawQuery } from './requests/params.js';

/** The headers that handlers look at, as Node has them. */
export interface RawHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'idempotency-key'?: string | string[] | undefined;
}

/** A request as far as a handler may look at it. */
export interface V1Request {
  /** `{id}` or `{job_id}` of the path; empty where the path has none. */
  readonly id: string;
  readonly query: RawQuery;
  readonly headers: RawHeaders;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
}

export interface V1Parts {
  readonly services: Services;
  readonly dialect: Dialect;
}

/** One line of the reference for a header. */
export interface HeaderNote {
  readonly name: string;
  readonly meaning: string;
  /** A value that shows what it looks like. */
  readonly example: string | number;
  /** Text where nothing is said. */
  readonly schema?: JsonSchema;
}

/** A header of an answer. */
export interface AnswerHeader extends HeaderNote {
  /** Whether every such answer has it. */
  readonly isAlways?: true;
}

/** The headings of the reference. */
export const ROUTE_GROUPS = {
  Posts: 'List, get, update and delete posts.',
  Jobs: 'Follow what goes on after an answer.',
  Workspaces: 'What the key’s user is a member of.',
  Accounts: 'The connected social accounts of a workspace.',
  Media: 'The media library of a workspace.',
  Sandbox:
    'The sandbox network, for tests: posts as it has them, faults on demand, a clock to move.',
} as const;
type RouteGroup = keyof typeof ROUTE_GROUPS;

/** What a route is, and what the reference says of it. */
export interface RouteNotes {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** As OpenAPI writes it: `/v1/posts/{id}`. */
  readonly path: string;
  /** OR of AND lists, as `@requiresScopes` has them. */
  readonly scopes: readonly (readonly Scope[])[];
  readonly name: string;
  /** The heading that the reference shows it under. */
  readonly group: RouteGroup;
  readonly summary: string;
  /** What it does, where that takes more than the summary. */
  readonly meaning?: string;
  readonly params: ParamTable;
  readonly requestHeaders: readonly HeaderNote[];
  /** Name of the schema of the body it takes. */
  readonly takes?: string;
  /** Name of the schema of its 200. */
  readonly gives: string;
  readonly answerHeaders: readonly AnswerHeader[];
  /** What it can refuse beyond what the gate does. */
  readonly refusals: readonly ErrorCode[];
}

export interface Route extends RouteNotes {
  readonly needsWorkspace: boolean;
  answer(admission: Admission, request: V1Request, parts: V1Parts): Promise<Answer>;
}

/** A route inside the workspace of the header: workspace, then scope (D35). */
export const inWorkspace = (
  notes: RouteNotes,
  handle: (viewer: Viewer, request: V1Request, parts: V1Parts) => Promise<Answer>,
): Route => ({
  ...notes,
  needsWorkspace: true,
  async answer(admission, request, parts) {
    const viewer = viewerOf(admission);
    assertScopes(admission.caller, notes.scopes);
    return handle(viewer, request, parts);
  },
});

/** A route of the key's user, whatever the workspace. */
export const ofCaller = (
  notes: RouteNotes,
  handle: (caller: Caller, request: V1Request, parts: V1Parts) => Promise<Answer>,
): Route => ({
  ...notes,
  needsWorkspace: false,
  async answer({ caller }, request, parts) {
    assertScopes(caller, notes.scopes);
    return handle(caller, request, parts);
  },
});

/** @throws GatewayError BAD_USER_INPUT, with all that is wrong with a request (D15, D21) */
export function assertNone(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new GatewayError('BAD_USER_INPUT', undefined, problems);
}
