import { CHANGE_ROUTES } from './change-routes.js';
import { POST_ROUTES } from './post-routes.js';
import { RESOURCE_ROUTES } from './resource-routes.js';
import { SANDBOX_ROUTES } from './sandbox-routes.js';
import type { Route } from './route.js';

/**
 * Every route that needs a key, paths without an ID before those with one. The router serves them, and the OpenAPI document is created from
 * them.
 */
export const ROUTES: readonly Route[] = [
  ...CHANGE_ROUTES,
  ...POST_ROUTES,
  ...RESOURCE_ROUTES,
  ...SANDBOX_ROUTES,
];

/** Path of the OpenAPI document. Needs no key and does not count toward the rate limit (D37). */
export const OPENAPI_PATH = '/v1/openapi.json';
