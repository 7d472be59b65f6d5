import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { GatewayError } from '../domain/errors.js';
import { hasJsonBody, maxBodyBytesOf } from './routes.js';
import type { HttpHandler } from '../http/handlers.js';
import { readJsonBody } from '../http/body.js';
import type { Authenticator } from '../http/authentication/authenticator.js';

interface RestHandlerDependencies {
  readonly authenticator: Authenticator;
  /** The routes of v1 and of the sandbox, for authenticated requests. */
  readonly routes: Router;
  /** The OpenAPI document. Needs no key. */
  readonly openapi: Router;
  /** The playground and the API docs. They need no key. */
  readonly pages: RequestHandler;
  /** The files of media, below /media. They need no key. */
  readonly mediaFiles: HttpHandler;
  /** Receives files at the one-time addresses of uploads, below /media. */
  readonly uploadReceiver: HttpHandler;
}

/**
 * Handles every path except /graphql. All paths under /v1 and /sandbox require authentication,
 * including those that do not exist, so that the routes cannot be probed without a key. Any other
 * unknown path gets 404.
 */
export function createRestHandler({
  authenticator,
  routes,
  openapi,
  pages,
  mediaFiles,
  uploadReceiver,
}: RestHandlerDependencies): HttpHandler {
  const authenticate: RequestHandler = async (request, response, next) => {
    response.locals['authentication'] = await authenticator.authenticate(request, response, 'rest');
    request.body = hasJsonBody(request)
      ? await readJsonBody(request, maxBodyBytesOf(request))
      : undefined;
    next();
  };
  const serveMedia: RequestHandler = (request, response, next) => {
    if (!request.path.startsWith('/media/')) return next();
    return (request.method === 'PUT' ? uploadReceiver : mediaFiles)(request, response);
  };
  const rejectUnknownPath: RequestHandler = () => {
    throw new GatewayError('NOT_FOUND');
  };

  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app
    .use(openapi)
    .use(pages)
    .use(serveMedia)
    .use(['/v1', '/sandbox'], authenticate)
    .use(routes)
    .use(rejectUnknownPath);
  return (request, response) =>
    // Express passes what a handler throws to its last argument.
    new Promise((_resolve, reject) => app(request as Request, response as Response, reject));
}
