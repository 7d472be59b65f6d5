import express, { type Request, type RequestHandler, type Router } from 'express';
import type { GraphQLInputObjectType } from 'graphql';
import { GatewayError } from '../domain/errors.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Services } from '../services/services.js';
import { API_VERSION } from '../http/api-version.js';
import { writeJson } from '../http/responses.js';
import { createFieldMapping } from './requests/field-mapping.js';
import { createOpenApi } from './openapi/openapi.js';
import type { RawQuery } from './requests/params.js';
import { OPENAPI_PATH, ROUTES } from './routes.js';
import type { Route, RouteDependencies } from './route.js';

interface RestDependencies {
  readonly services: Services;
  /** GraphQL input type of a post's changes. The v1 body has the same fields in snake_case. */
  readonly postPatch: GraphQLInputObjectType;
}

/**
 * Router of REST v1, to be mounted at the root after authentication. Reads the result of
 * authentication from `res.locals.authentication` and the parsed JSON (or undefined) from
 * `req.body`, and sets `res.locals.operation` to the route. Errors are thrown; the HTTP handler
 * sends them. Every path that starts with a version is handled here; other paths are passed on.
 */
export function createRestRouter({ services, postPatch }: RestDependencies): Router {
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
  return router;
}

/** Serves the OpenAPI document. It is public, so mount it before authentication. */
export function createOpenApiRouter(postPatch: GraphQLInputObjectType): Router {
  // created on the first request, to keep the start fast
  let body: ReturnType<typeof createOpenApi> | undefined;
  const router = express.Router({ caseSensitive: true, strict: true });
  router
    .route(OPENAPI_PATH)
    .get((_request, response) => {
      response.locals['operation'] = operationOf({ method: 'GET', path: OPENAPI_PATH });
      writeJson(response, {
        status: 200,
        headers: { 'Cache-Control': 'no-cache' },
        body: (body ??= createOpenApi(postPatch)),
      });
    })
    .all(rejectMethod([{ method: 'GET' }]));
  return router;
}

const EXPRESS_METHODS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

const toExpressPath = (path: string): string => path.replace(/\{\w+\}/g, ':id');

function createRouteHandler(
  route: Route,
  dependencies: RouteDependencies,
): RequestHandler<{ id?: string }> {
  const operation = operationOf(route);
  return async (request, response) => {
    response.locals['operation'] = operation;
    const { authentication } = response.locals as { authentication: Authentication };
    const { params, query, headers, body } = request;
    const result = await route.handle(
      authentication,
      {
        id: params.id ?? '',
        query: query as RawQuery,
        headers,
        body: body as unknown,
        source: request,
      },
      dependencies,
    );
    writeJson(response, result);
  };
}

/** Name of the operation in logs and metrics: the route, never the requested path. */
const operationOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  `${method} ${path}`;

const rejectMethod =
  (routes: readonly Pick<Route, 'method'>[]): RequestHandler =>
  (request, response) => {
    const allowedMethods = routes
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .join(', ');
    response.set('Allow', allowedMethods);
    throw new GatewayError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not allowed for this path. Allowed: ${allowedMethods}.`,
    );
  };

/** For a path of another API version, the message names the current version (D45). */
const unknownPathMessage = ({ method, originalUrl }: Request): string => {
  const [path = ''] = originalUrl.split('?');
  return path.startsWith(`/${API_VERSION}/`) || path === `/${API_VERSION}`
    ? `No such route: ${method} ${path}.`
    : `Unknown API version. The current version is ${API_VERSION}, under /${API_VERSION}.`;
};
