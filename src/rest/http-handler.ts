import type { IncomingMessage } from 'node:http';
import { hasJsonBody, maxBodyBytesOf, OPENAPI_PATH } from './routes.js';
import type { HttpHandler } from '../http/handlers.js';
import { readJsonBody } from '../http/body.js';
import type { Authenticator } from '../http/authentication/authenticator.js';
import type { Pages } from '../http/pages/pages.js';
import type { RestRouter } from './router.js';

interface RestHandlerDependencies {
  readonly authenticator: Authenticator;
  /** The routes of v1 and of the sandbox. */
  readonly routes: RestRouter;
  /** The OpenAPI document. Needs no key. */
  readonly openapi: HttpHandler;
  /** The playground and the API docs. They need no key. */
  readonly pages: Pages['handle'];
  /** The files of media, below /media. They need no key. */
  readonly mediaFiles: HttpHandler;
  /** Receives files at the one-time addresses of uploads, below /media. */
  readonly uploadReceiver: HttpHandler;
}

/** The paths that need a key. */
const KEYED_PATHS = /^\/(?:v1|sandbox)(?=\/|$)/i;

const readBody = (request: IncomingMessage): Promise<unknown> | undefined =>
  hasJsonBody(request) ? readJsonBody(request, maxBodyBytesOf(request)) : undefined;

/**
 * Handles every path except /graphql. All paths under /v1 and /sandbox require authentication,
 * including those that do not exist, so that the routes cannot be probed without a key. Any other
 * unknown path gets 404. Only the routes go through Express, because each of its layers costs CPU
 * time in every request.
 */
export function createRestHandler({
  authenticator,
  routes,
  openapi,
  pages,
  mediaFiles,
  uploadReceiver,
}: RestHandlerDependencies): HttpHandler {
  return async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (path === OPENAPI_PATH) return openapi(request, response);
    if (await pages(path, request, response)) return;
    if (path.startsWith('/media/'))
      return (request.method === 'PUT' ? uploadReceiver : mediaFiles)(request, response);
    if (!KEYED_PATHS.test(path)) return routes(request, response, null);
    const authentication = await authenticator.authenticate(request, response, 'rest');
    return routes(request, response, { authentication, body: await readBody(request) });
  };
}
