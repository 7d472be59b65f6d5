import { POST_ROUTES } from './post-routes.js';
import { RECORD_ROUTES } from './record-routes.js';
import type { Route } from './v1-route.js';

/** Every route of v1 that needs a key; the door serves them and the reference is made from them. */
export const ROUTES: readonly Route[] = [...POST_ROUTES, ...RECORD_ROUTES];

/** The reference itself: public, without a key, uncounted (D37). */
export const OPENAPI_PATH = '/v1/openapi.json';
