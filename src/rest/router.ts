import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import express from 'express';
import type { GraphQLInputObjectType } from 'graphql';
import { GatewayError } from '../domain/errors.js';
import { readingReplicas } from '../domain/access/workspace-access.js';
import { advanceAfter } from '../http/authentication/position-header.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Services } from '../services/services.js';
import { API_VERSION } from '../http/api-version.js';
import type { HttpHandler } from '../http/handlers.js';
import { requestContextOf } from '../http/request-context.js';
import { writeJson } from '../http/responses.js';
import { createFieldMapping } from './field-mapping.js';
import { createOpenApi } from './openapi/openapi.js';
import { OPENAPI_PATH, ROUTES } from './routes.js';
import type { Route, RouteDependencies } from './route.js';

interface RestDependencies {
  readonly services: Services;
  /** GraphQL input type of a post's changes. The v1 body has the same fields in snake_case. */
  readonly postPatch: GraphQLInputObjectType;
}

/** A request whose key has been checked, with its parsed JSON (or undefined). */
export interface AuthenticatedInput {
  readonly authentication: Authentication;
  readonly body: unknown;
}

/**
 * Responds to a request of REST v1 or the sandbox, and sets the operation in the context of the
 * request to the route. The input is null for paths that need no key, none of which is a route.
 * Rejects with the error to respond with: NOT_FOUND if no route has the path.
 */
export type RestRouter = (
  request: IncomingMessage,
  response: ServerResponse,
  input: AuthenticatedInput | null,
) => Promise<void>;

/**
 * What a router of Express adds to a request of Node.js. Requests do not go through an application
 * of Express: it would change the prototypes of each request and response, which slows down every
 * later use of them.
 */
interface RoutedRequest extends IncomingMessage {
  readonly params: { readonly id?: string };
  input?: AuthenticatedInput | null;
}
type RouteHandler = (request: RoutedRequest, response: ServerResponse) => Promise<void> | void;

/** Creates the router of REST v1 and the sandbox. */
export function createRestRouter({ services, postPatch }: RestDependencies): RestRouter {
  const dependencies: RouteDependencies = {
    services,
    fieldMapping: createFieldMapping(postPatch),
  };
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const routes = ROUTES.filter((route) => route.path === path);
    const expressRoute = router.route(toExpressPath(path));
    for (const route of routes) {
      const method = EXPRESS_METHODS[route.method];
      expressRoute[method](createRouteHandler(route, dependencies));
    }
    expressRoute.all(rejectMethod(routes));
  }
  router.use(/^\/v\d+(?=\/|$)/i, (request) => {
    throw new GatewayError('NOT_FOUND', unknownPathMessage(request));
  });
  return (request, response, input) =>
    new Promise((_resolve, reject) => {
      const routed = Object.assign(request, { input }) as unknown as express.Request;
      // Express passes what a handler throws to the last argument, and nothing if no route matches.
      router(routed, response as express.Response, (error?: unknown) =>
        reject(error ?? new GatewayError('NOT_FOUND')),
      );
    });
}

/** Serves the OpenAPI document. It is public, so call it before authentication. */
export function createOpenApiHandler(postPatch: GraphQLInputObjectType): HttpHandler {
  // created on the first request, to keep the start fast
  let body: ReturnType<typeof createOpenApi> | undefined;
  const reject = rejectMethod([{ method: 'GET' }]);
  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return reject(request, response);
    requestContextOf(response).operation = operationOf({ method: 'GET', path: OPENAPI_PATH });
    writeJson(response, {
      status: 200,
      headers: { 'Cache-Control': 'no-cache' },
      body: (body ??= createOpenApi(postPatch)),
    });
  };
}

const EXPRESS_METHODS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

const toExpressPath = (path: string): string => path.replace(/\{\w+\}/g, ':id');

function createRouteHandler(route: Route, dependencies: RouteDependencies): RouteHandler {
  const operation = operationOf(route);
  return async (request, response) => {
    requestContextOf(response).operation = operation;
    const { params, headers, input } = request;
    if (!input) throw new GatewayError('UNAUTHENTICATED');
    const { authentication, body } = input;
    const received = {
      id: params.id ?? '',
      query: parseQuery(queryOf(request)),
      headers,
      body,
      source: request,
    };
    if (route.method === 'GET') {
      const reading = readingReplicas(authentication);
      return writeJson(response, await route.handle(reading, received, dependencies));
    }
    const [result, positionHeaders] = await advanceAfter(
      () => route.handle(authentication, received, dependencies),
      dependencies.services.readPositions,
      authentication,
    );
    const isChanged = result.status < 300;
    writeJson(response, {
      ...result,
      headers: { ...result.headers, ...(isChanged && positionHeaders) },
    });
  };
}

function queryOf({ url = '' }: IncomingMessage): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** Name of the operation in logs and metrics: the route, never the requested path. */
const operationOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  `${method} ${path}`;

const rejectMethod =
  (routes: readonly Pick<Route, 'method'>[]) =>
  (request: IncomingMessage, response: ServerResponse): never => {
    const allowedMethods = routes
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .join(', ');
    requestContextOf(response).headers['Allow'] = allowedMethods;
    throw new GatewayError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not allowed for this path. Allowed: ${allowedMethods}.`,
    );
  };

/** For a path of another API version, the message names the current version (D45). */
const unknownPathMessage = ({ method, originalUrl }: express.Request): string => {
  const [path = ''] = originalUrl.split('?');
  return path.startsWith(`/${API_VERSION}/`) || path === `/${API_VERSION}`
    ? `No such route: ${method} ${path}.`
    : `Unknown API version. The current version is ${API_VERSION}, under /${API_VERSION}.`;
};
