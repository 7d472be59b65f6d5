import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { GraphQLInputObjectType } from 'graphql';
import { GatewayError } from '../domain/errors.js';
import { REQUEST_LIMITS } from '../domain/input/request-limits.js';
import type { Authenticator } from '../http/authentication/authenticator.js';
import { readJsonBody } from '../http/body.js';
import { browserOf } from '../http/browser.js';
import type { Pages } from '../http/pages.js';
import { requestContextOf } from '../http/request-context.js';
import {
  API_VERSION,
  assertReadMethod,
  toHttpResponse,
  writeJson,
  writeResponse,
  type HttpHandler,
  type HttpResponse,
} from '../http/responses.js';
import { CALLBACK_PATH } from '../services/accounts/consents.js';
import type { Authentication } from '../services/access/access-control.js';
import { CALENDAR_PATH } from '../services/posts/calendar-feeds.js';
import type { Services } from '../services/services.js';
import { LINK_PAGE_ROUTES } from './connections/link-page.js';
import { createFieldMapping } from './field-mapping.js';
import { matchesIfNoneMatch } from './headers.js';
import { createMediaFiles, createUploadReceiver } from './media/media-files.js';
import { createOpenApi } from './openapi/openapi.js';
import type { Route, RouteDependencies } from './route.js';
import { OPENAPI_PATH, ROUTES } from './routes.js';

interface RestDependencies {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly pages: Pages['handlers'];
  /** GraphQL input type of a post's changes. The v1 body has the same fields in snake_case. */
  readonly postPatch: GraphQLInputObjectType;
}

/**
 * Creates the handler of every path except /graphql: pages, files and the MCP server, which check
 * keys themselves if they need one, and the routes of REST v1 and the sandbox. It is a router of Express without an application of Express,
 * which would change the prototypes of each request and response, and so slow down every later use
 * of them.
 */
export function createRestHandler({
  services,
  authenticator,
  pages,
  postPatch,
}: RestDependencies): HttpHandler {
  const router = express.Router({ caseSensitive: true, strict: true });
  const dependencies = { services, fieldMapping: createFieldMapping(postPatch) };
  router.all(OPENAPI_PATH, serveOpenApi(postPatch));
  for (const [path, handle] of pages) router.all(path, handle);
  router.all(CALLBACK_PATH, comeBack(services));
  router.all(`${CALENDAR_PATH}/:secret.ics`, serveCalendar(services, authenticator));
  for (const route of LINK_PAGE_ROUTES)
    router[EXPRESS_METHODS[route.method]](
      route.path.replace('{id}', ':id'),
      respondToHolder(route, { authenticator, dependencies }),
    );
  router.put(/^\/media\//, createUploadReceiver(services.media));
  router.all(/^\/media\//, createMediaFiles(services.media));
  // Paths that do not exist need a key as well, so that the routes cannot be probed without one.
  router.all(/^\/(?:v1|sandbox)(?=\/|$)/i, admit(authenticator));

  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const routes = ROUTES.filter((route) => route.path === path);
    const expressRoute = router.route(path.replace(/\{\w+\}/g, ':id'));
    for (const route of routes)
      expressRoute[EXPRESS_METHODS[route.method]](respond(route, dependencies));
    expressRoute.all(rejectMethod(routes));
  }
  router.all(/^\/v\d+(?=\/|$)/i, rejectUnknownPath);
  router.use(presentExpressError);

  return (request, response) =>
    new Promise((_resolve, reject) => {
      // Express passes what a handler throws to the last argument, and nothing if no route matches.
      router(request as Request, response as Response, (error?: unknown) =>
        reject(error ?? new GatewayError('NOT_FOUND')),
      );
    });
}

/** The operation of feeds, without a secret. */
const CALENDAR_OPERATION = `${CALENDAR_PATH}/{secret}.ics`;

const EXPRESS_METHODS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

/** What is known of a request with a key. Its parsed JSON is `request.body`. */
interface Locals {
  authentication: Authentication;
}
type KeyedHandler = RequestHandler<{ id?: string }, unknown, unknown, unknown, Locals>;

/** Checks the key and reads the body. */
const admit =
  (authenticator: Authenticator): KeyedHandler =>
  async (request, response, next) => {
    const authentication = await authenticator.authenticate(request, response, 'rest');
    response.locals = { authentication };
    request.body = readBody(request);
    next();
  };

const ROUTE_OF_OPERATION: ReadonlyMap<string, Route> = new Map(
  ROUTES.map((route) => [operationOf(route), route]),
);

/** The route of a request whose path contains no parameter. */
function fixedRouteOf({ method = '', url = '' }: IncomingMessage): Route | undefined {
  const [path = ''] = url.split('?', 1);
  return ROUTE_OF_OPERATION.get(operationOf({ method, path }));
}

/** The size of the largest body that a request may have, in bytes. */
export const maxBodyBytesOf = (request: IncomingMessage): number =>
  fixedRouteOf(request)?.maxBodyBytes ?? REQUEST_LIMITS.bodyBytes;

/** The JSON of a request; undefined without a body. A route with a form reads it itself. */
function readBody(request: IncomingMessage): unknown {
  if (request.method !== 'POST' && request.method !== 'PUT') return undefined;
  return fixedRouteOf(request)?.requestType === undefined ? readJsonBody(request) : undefined;
}

/** Calls the handler of a route, and writes its response. */
function respond(route: Route, dependencies: RouteDependencies): KeyedHandler {
  const operation = operationOf(route);
  return async (request, response) => {
    requestContextOf(response).operation = operation;
    const { authentication } = response.locals;
    const { url, headers, body } = request;
    const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
    const received = {
      caller: authentication.caller,
      id: request.params.id ?? '',
      query: parseQuery(search),
      headers,
      body,
      source: request,
    };
    writeJson(response, await route.handle(authentication, received, dependencies));
  };
}

/** Name of the operation in logs and metrics: the route, never the requested path. */
function operationOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** Responds to the page of a connect link. */
const respondToHolder =
  (
    route: (typeof LINK_PAGE_ROUTES)[number],
    {
      authenticator,
      dependencies,
    }: { authenticator: Authenticator; dependencies: RouteDependencies },
  ): RequestHandler<{ id?: string }> =>
  async (request, response) => {
    requestContextOf(response).operation = operationOf(route);
    const { connectLinks } = dependencies.services;
    const holder = await authenticator.admitHolder(request, response, {
      secret: /^Connect-Link +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1],
      open: connectLinks.open,
      idOf: ({ link }) => link.id,
      refusal: new GatewayError(
        'UNAUTHENTICATED',
        'This link is incomplete, has expired or was revoked. Ask for a new one.',
      ),
    });
    const { headers, params } = request;
    const body = route.method === 'POST' ? readJsonBody(request) : undefined;
    const received = { id: params.id ?? '', query: {}, headers, body };
    writeJson(response, await route.handle(holder, received, dependencies));
  };

/** Serves a calendar feed, whose secret is in its path: the log has the path of the operation. */
const serveCalendar =
  (
    { calendarFeeds }: Services,
    authenticator: Authenticator,
  ): RequestHandler<{ secret?: string }> =>
  async (request, response) => {
    requestContextOf(response).operation = operationOf({ method: 'GET', path: CALENDAR_OPERATION });
    assertReadMethod(request, response);
    const feed = await authenticator.admitHolder(request, response, {
      secret: request.params.secret,
      open: calendarFeeds.open,
      idOf: ({ id }) => id,
      refusal: new GatewayError('NOT_FOUND', 'This calendar feed does not exist, or was revoked.'),
    });
    const { text: body, etag } = await calendarFeeds.read(feed);
    const isCurrent = matchesIfNoneMatch(request.headers['if-none-match'], etag);
    writeResponse(response, {
      status: isCurrent ? 304 : 200,
      headers: {
        ETag: etag,
        'Cache-Control': 'private, max-age=300',
        ...(!isCurrent && { 'Content-Type': 'text/calendar; charset=utf-8' }),
      },
      ...(!isCurrent && { body }),
    });
  };

/** Takes a person back from the page of a network, and sends them on. */
const comeBack =
  ({ consents }: Services): HttpHandler =>
  async (request, response) => {
    requestContextOf(response).operation = operationOf({ method: 'GET', path: CALLBACK_PATH });
    assertReadMethod(request, response);
    const url = new URL(request.url!, 'http://gateway');
    // A preview of the address must not use up the code.
    const address =
      request.method === 'GET'
        ? await consents.comeBack(Object.fromEntries(url.searchParams), browserOf(request.headers))
        : '/';
    const headers = { Location: address, 'Cache-Control': 'no-store' };
    writeResponse(response, { status: 303, headers });
  };

/** Serves the OpenAPI document. It is written once, with the first request, to keep the start fast. */
function serveOpenApi(postPatch: GraphQLInputObjectType): HttpHandler {
  let document: HttpResponse | undefined;
  const reject = rejectMethod([{ method: 'GET' }]);
  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return reject(request, response);
    requestContextOf(response).operation = operationOf({ method: 'GET', path: OPENAPI_PATH });
    document ??= toHttpResponse({
      status: 200,
      headers: { 'Cache-Control': 'no-cache' },
      body: createOpenApi(postPatch),
    });
    writeResponse(response, document);
  };
}

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
const rejectUnknownPath: RequestHandler = ({ method, originalUrl }) => {
  const [path = ''] = originalUrl.split('?', 1);
  throw new GatewayError(
    'NOT_FOUND',
    path.startsWith(`/${API_VERSION}/`) || path === `/${API_VERSION}`
      ? `No such route: ${method} ${path}.`
      : `Unknown API version. The current version is ${API_VERSION}, under /${API_VERSION}.`,
  );
};

/** Express throws a URIError with status 400 for malformed percent-encoding. */
const presentExpressError: ErrorRequestHandler = (error, _request, _response, next) => {
  const isMalformedPath =
    error instanceof URIError && (error as { status?: unknown }).status === 400;
  next(
    isMalformedPath
      ? new GatewayError('BAD_USER_INPUT', 'The path is not valid percent-encoding.')
      : error,
  );
};
