import type { Authenticator } from '../http/authentication/authenticator.js';
import { pathOf } from '../http/api-of-path.js';
import { readJsonBody } from '../http/body.js';
import type { HttpHandler } from '../http/handlers.js';
import type { Pages } from '../http/pages/pages.js';
import { PAGES_OPERATION, requestContextOf } from '../http/request-context.js';
import { hasJsonBody, maxBodyBytesOf, OPENAPI_PATH } from './routes.js';
import { unknownPathError, type RestRouter } from './router.js';

interface RestHandlerDependencies {
  readonly authenticator: Authenticator;
  /** The routes of v1 and of the sandbox, for authenticated requests. */
  readonly routes: RestRouter;
  /** The OpenAPI document. Needs no key. */
  readonly openapi: HttpHandler;
  /** The playground and the API docs. They need no key. */
  readonly pages: Pick<Pages, 'find'>;
  /** The files of media, below /media. They need no key. */
  readonly mediaFiles: HttpHandler;
  /** Receives files at the one-time addresses of uploads, below /media. */
  readonly uploadReceiver: HttpHandler;
}

/** Paths that need a key. */
const API_PATH = /^\/(v1|sandbox)(?=\/|$)/i;

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
  return async (request, response) => {
    const path = pathOf(request);
    if (path === OPENAPI_PATH) return openapi(request, response);
    const page = pages.find(request);
    if (page) {
      requestContextOf(response).operation = PAGES_OPERATION;
      return page(request, response);
    }
    const { method = 'GET' } = request;
    if (path.startsWith('/media/'))
      return (method === 'PUT' ? uploadReceiver : mediaFiles)(request, response);
    if (!API_PATH.test(path)) throw unknownPathError(method, path);
    const authentication = await authenticator.authenticate(request, response, 'rest');
    const body = hasJsonBody({ method, path })
      ? await readJsonBody(request, maxBodyBytesOf({ method, path }))
      : undefined;
    return routes.handle({ request, path, authentication, body }, response);
  };
}
