import { GET_JOB_STATUS } from './jobs.js';
import { MEDIA_ROUTES } from './media/media-routes.js';
import { LIST_CHANGES } from './posts/change-feed.js';
import { CREATION_ROUTES } from './posts/create-posts.js';
import { DELETE_POSTS } from './posts/delete-posts.js';
import { GET_HISTORY } from './posts/history.js';
import { GET_POST, LIST_POSTS } from './posts/read-posts.js';
import { UPDATE_POST } from './posts/update-post.js';
import type { Route } from './route.js';
import { SANDBOX_ROUTES } from './sandbox/sandbox-routes.js';
import { WEBHOOK_ROUTES } from './webhooks/webhook-routes.js';
import { LIST_ACCOUNTS, LIST_WORKSPACES } from './workspaces.js';

/**
 * Every route that needs a key, paths without an ID before those with one. The router serves them,
 * and the OpenAPI document is created from them.
 */
export const ROUTES: readonly Route[] = [
  LIST_CHANGES,
  GET_HISTORY,
  ...CREATION_ROUTES,
  LIST_POSTS,
  DELETE_POSTS,
  GET_POST,
  UPDATE_POST,
  GET_JOB_STATUS,
  LIST_WORKSPACES,
  LIST_ACCOUNTS,
  ...MEDIA_ROUTES,
  ...WEBHOOK_ROUTES,
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

const BODY_LIMITS: ReadonlyMap<string, number | undefined> = new Map(
  ROUTES.map(({ method, path, maxBodyBytes }) => [`${method} ${path}`, maxBodyBytes]),
);

interface RouteRequest {
  readonly method?: string;
  readonly url?: string;
}
/** Identifies the route of a request, if its path has no parameter. */
const routeKeyOf = ({ method, url = '' }: RouteRequest): string =>
  `${method} ${url.split('?', 1)[0]}`;

/** Whether the body of a request is to be read as JSON. Routes with a form read it themselves. */
export const hasJsonBody = (request: RouteRequest): boolean =>
  METHODS_WITH_BODY.has(request.method ?? '') && !FORM_ROUTES.has(routeKeyOf(request));

/** The maximum size of the body of a request, if its route has one of its own. */
export const maxBodyBytesOf = (request: RouteRequest): number | undefined =>
  BODY_LIMITS.get(routeKeyOf(request));
