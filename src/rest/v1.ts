import { POST_ROUTES } from './post-routes.js';
import { RECORD_ROUTES } from './record-routes.js';
import { SANDBOX_ROUTES } from './sandbox-routes.js';
import type { Route } from './v1-route.js';

/** Every route of v1 that needs a key, and the sandbox's beside it; the door serves them and the reference is made from them. */
export const ROUTES: readonly Route[] = [...POST_ROUTES, ...RECORD_ROUTES, ...SANDBOX_ROUTES];

/** The reference itself: public, without a key, uncounted (D37). */
export const OPENAPI_PATH = '/v1/openapi.json';
