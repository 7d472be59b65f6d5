import { CHANGE_ROUTES } from './change-routes.js';
import { POST_ROUTES } from './post-routes.js';
import { RESOURCE_ROUTES } from './resource-routes.js';
import { SANDBOX_ROUTES } from './sandbox-routes.js';
import type { Route } from './route.js';
import { MEDIA_ROUTES } from './media-routes.js';

/**
 * Every route that needs a key, paths without an ID before those with one. The router serves them, and the OpenAPI document is created from
 * them.
 */
export const ROUTES: readonly Route[] = [
  ...CHANGE_ROUTES,
  ...POST_ROUTES,
  ...RESOURCE_ROUTES,
  ...MEDIA_ROUTES,
  ...SANDBOX_ROUTES,
];

/** Path of the OpenAPI document. Needs no key and does not count toward the rate limit (D37). */
export const OPENAPI_PATH = '/v1/openapi.json';

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(
  ROUTES.filter(({ requestSchema }) => requestSchema !== undefined).map(({ method }) => method),
);
const FORM_ROUTES: ReadonlySet<string> = new Set(
  ROUTES.filter(({ requestType }) => requestType === 'multipart/form-data').map(
    ({ method, path }) => `${method} ${path}`,
  ),
);

/** Whether the body of a request is to be read as JSON. Routes with a form read it themselves. */
export const hasJsonBody = ({
  method,
  originalUrl,
}: {
  readonly method: string;
  readonly originalUrl: string;
}): boolean =>
  METHODS_WITH_BODY.has(method) && !FORM_ROUTES.has(`${method} ${originalUrl.split('?', 1)[0]}`);
