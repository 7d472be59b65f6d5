import express, { type Request, type RequestHandler, type Router } from 'express';
import type { GraphQLInputObjectType } from 'graphql';
import { GatewayError } from '../domain/errors.js';
import type { Admission } from '../services/access/access.js';
import type { Services } from '../services/services.js';
import { API_VERSION, sendAnswer } from './http-response.js';
import { createDialect } from './requests/field-mapping.js';
import { createOpenApi } from './openapi/openapi.js';
import type { RawQuery } from './requests/params.js';
import { OPENAPI_PATH, ROUTES } from './v1.js';
import type { Route, V1Parts } from './v1-route.js';

interface RestParts {
  readonly services: Services;
  /** GraphQL's built input type for a change of a post: v1 is its snake_case view. */
  readonly postPatch: GraphQLInputObjectType;
}

/**
 * REST v1, to be mounted at the root behind the gate. It finds the gate's `Admission` in `res.locals.admission` and the
 * parsed JSON (or undefined) in `req.body`, says in `res.locals.operation` which route it is, and leaves what it throws to
 * the hall, which answers with `presentError`.
 * Every path that begins with a version is answered here; others are passed on.
 */
export function createRestDoor({ services, postPatch }: RestParts): Router {
  const parts: V1Parts = { services, dialect: createDialect(postPatch) };
  const router = express.Router({ caseSensitive: true });
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const here = ROUTES.filter((route) => route.path === path);
    const spot = router.route(toExpressPath(path));
    for (const route of here) spot[VERBS[route.method]](strictUnlessRead, serve(route, parts));
    spot.all(refuseMethod(here));
  }
  router.use(/^\/v\d+(?=\/|$)/i, (request) => {
    throw new GatewayError('NOT_FOUND', unknownPath(request));
  });
  return router;
}

/** The reference as JSON: public, so it is mounted before the gate. */
export function createOpenApiRoute(postPatch: GraphQLInputObjectType): Router {
  let body: ReturnType<typeof createOpenApi> | undefined; // made for the first who asks: no start waits for it
  const router = express.Router({ caseSensitive: true, strict: true });
  router
    .route(OPENAPI_PATH)
    .get((_request, response) => {
      response.locals['operation'] = operationOf({ method: 'GET', path: OPENAPI_PATH });
      sendAnswer(response, {
        status: 200,
        headers: { 'Cache-Control': 'no-cache' },
        body: (body ??= createOpenApi(postPatch)),
      });
    })
    .all(refuseMethod([{ method: 'GET' }]));
  return router;
}

const VERBS = { GET: 'get', PUT: 'put', DELETE: 'delete' } as const;

const toExpressPath = (path: string): string => path.replace(/\{\w+\}/g, ':id');

function serve(route: Route, parts: V1Parts): RequestHandler<{ id?: string }> {
  const operation = operationOf(route);
  return async (request, response) => {
    response.locals['operation'] = operation;
    const { admission } = response.locals as { admission: Admission };
    const { params, query, headers, body } = request;
    const answer = await route.answer(
      admission,
      { id: params.id ?? '', query: query as RawQuery, headers, body: body as unknown },
      parts,
    );
    sendAnswer(response, answer);
  };
}

/** What the hall knows a request by: the route, never its own path. */
const operationOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  `${method} ${path}`;

/** A slash at the end is forgiven where nothing is changed. */
const strictUnlessRead: RequestHandler = (request, _response, next) => {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && request.path.endsWith('/'))
    throw new GatewayError('NOT_FOUND', unknownPath(request));
  next();
};

const refuseMethod =
  (routes: readonly Pick<Route, 'method'>[]): RequestHandler =>
  (request, response) => {
    const allowed = routes
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .join(', ');
    response.set('Allow', allowed);
    throw new GatewayError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not allowed here; these are: ${allowed}.`,
    );
  };

/** Another major version is told which one there is (D45). */
const unknownPath = ({ method, originalUrl }: Request): string => {
  const [path = ''] = originalUrl.split('?');
  return path.startsWith(`/${API_VERSION}/`) || path === `/${API_VERSION}`
    ? `No such route: ${method} ${path}.`
    : `No such version of the interface; the current one is ${API_VERSION}, under /${API_VERSION}.`;
};
