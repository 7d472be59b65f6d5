import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { GraphQLInputObjectType } from 'graphql';
import { GatewayError } from '../domain/errors.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Services } from '../services/services.js';
import { API_VERSION } from '../http/api-version.js';
import type { HttpHandler } from '../http/handlers.js';
import { requestContextOf } from '../http/request-context.js';
import { writeJson } from '../http/responses.js';
import { createFieldMapping } from './requests/field-mapping.js';
import { createOpenApi } from './openapi/openapi.js';
import { OPENAPI_PATH, ROUTES } from './routes.js';
import type { Route, RouteDependencies } from './route.js';

interface RestDependencies {
  readonly services: Services;
  /** GraphQL input type of a post's changes. The v1 body has the same fields in snake_case. */
  readonly postPatch: GraphQLInputObjectType;
}

/** An authenticated request to v1 or the sandbox network. */
interface AuthenticatedRequest {
  readonly request: IncomingMessage;
  /** Path without the query string. */
  readonly path: string;
  readonly authentication: Authentication;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
}

/** The routes of v1 and of the sandbox network. */
export interface RestRouter {
  /**
   * Calls the route of a request, and sends its response.
   * @throws GatewayError NOT_FOUND, METHOD_NOT_ALLOWED, BAD_USER_INPUT, and the errors of the route
   */
  handle(received: AuthenticatedRequest, response: ServerResponse): Promise<void>;
}

/** Creates the router of REST v1. */
export function createRestRouter({ services, postPatch }: RestDependencies): RestRouter {
  const dependencies: RouteDependencies = {
    services,
    fieldMapping: createFieldMapping(postPatch),
  };
  return {
    async handle({ request, path, authentication, body }, response) {
      const { method = 'GET', headers, url = '' } = request;
      const found = findRoutes(path);
      if (!found) throw unknownPathError(method, path);
      const { routes, id } = found;
      const route = routes.find((candidate) => answers(candidate, method));
      if (!route) throw methodError(routes, method, response);
      requestContextOf(response).operation = operationOf(route);
      const query = parseQuery(/^[^?#]*\?([^#]*)/.exec(url)?.[1] ?? '');
      const result = await route.handle(
        authentication,
        { id, query, headers, body, source: request },
        dependencies,
      );
      writeJson(response, result);
    },
  };
}

/** Serves the OpenAPI document. It is public: call it before authentication. */
export function createOpenApiHandler(postPatch: GraphQLInputObjectType): HttpHandler {
  // created on the first request, to keep the start fast
  let body: ReturnType<typeof createOpenApi> | undefined;
  const route = { method: 'GET', path: OPENAPI_PATH } as const;
  return async ({ method = 'GET' }, response) => {
    if (!answers(route, method)) throw methodError([route], method, response);
    requestContextOf(response).operation = operationOf(route);
    writeJson(response, {
      status: 200,
      headers: { 'Cache-Control': 'no-cache' },
      body: (body ??= createOpenApi(postPatch)),
    });
  };
}

const routesAt = (path: string): readonly Route[] => ROUTES.filter((route) => route.path === path);
const PATHS = [...new Set(ROUTES.map(({ path }) => path))];
const hasId = (path: string): boolean => path.includes('{');
/** The routes of each path without an ID. */
const ROUTES_BY_PATH: ReadonlyMap<string, readonly Route[]> = new Map(
  PATHS.filter((path) => !hasId(path)).map((path) => [path, routesAt(path)]),
);
/** The routes of each path with an ID. */
const ROUTES_BY_PATTERN = PATHS.filter(hasId).map((path) => ({
  pattern: new RegExp(`^${path.replace(/\{\w+\}/, '([^/]+)')}$`),
  routes: routesAt(path),
}));

/** The routes of a path and the ID in it, which is empty if the path has none. */
function findRoutes(path: string): { routes: readonly Route[]; id: string } | null {
  const known = ROUTES_BY_PATH.get(path);
  if (known) return { routes: known, id: '' };
  for (const { pattern, routes } of ROUTES_BY_PATTERN) {
    const id = pattern.exec(path)?.[1];
    if (id !== undefined) return { routes, id: decodeId(id) };
  }
  return null;
}

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw new GatewayError('BAD_USER_INPUT', 'The path is not valid percent-encoding.');
  }
}

type Endpoint = Pick<Route, 'method' | 'path'>;

/** Whether a route answers a method: Node sends no body in response to HEAD. */
const answers = (route: Endpoint, method: string): boolean =>
  route.method === (method === 'HEAD' ? 'GET' : method);

/** Name of the operation in logs and metrics: the route, never the requested path. */
const operationOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** The error METHOD_NOT_ALLOWED, after setting `Allow`. */
function methodError(
  routes: readonly Endpoint[],
  method: string,
  response: ServerResponse,
): GatewayError {
  const allowedMethods = routes
    .flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))
    .join(', ');
  response.setHeader('Allow', allowedMethods);
  return new GatewayError(
    'METHOD_NOT_ALLOWED',
    `${method} is not allowed for this path. Allowed: ${allowedMethods}.`,
  );
}

/** For a path of another API version, the message names the current version (D45). */
export function unknownPathError(method: string, path: string): GatewayError {
  if (!/^\/v\d+(?=\/|$)/i.test(path)) return new GatewayError('NOT_FOUND');
  const message =
    path.startsWith(`/${API_VERSION}/`) || path === `/${API_VERSION}`
      ? `No such route: ${method} ${path}.`
      : `Unknown API version. The current version is ${API_VERSION}, under /${API_VERSION}.`;
  return new GatewayError('NOT_FOUND', message);
}
