import { CALENDAR_FEED_ROUTES } from './calendar-feeds.js';
import { CONNECTION_ROUTES } from './connections/connection-routes.js';
import { GET_JOB_STATUS } from './jobs.js';
import { LABEL_ROUTES } from './labels.js';
import { MEDIA_ROUTES } from './media/media-routes.js';
import { LIST_CHANGES } from './posts/change-feed.js';
import { CREATION_ROUTES } from './posts/create-posts.js';
import { DELETE_POSTS } from './posts/delete-posts.js';
import { GET_HISTORY } from './posts/history.js';
import { ACTION_ROUTES, POST_ACTION_ROUTES } from './posts/post-actions.js';
import { GET_POST, LIST_POSTS } from './posts/read-posts.js';
import { UPDATE_POST } from './posts/update-post.js';
import { POSTING_SCHEDULE_ROUTES } from './posting-schedules.js';
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
  ...ACTION_ROUTES,
  ...POST_ACTION_ROUTES,
  LIST_POSTS,
  DELETE_POSTS,
  GET_POST,
  UPDATE_POST,
  GET_JOB_STATUS,
  LIST_WORKSPACES,
  LIST_ACCOUNTS,
  ...CONNECTION_ROUTES,
  ...POSTING_SCHEDULE_ROUTES,
  ...CALENDAR_FEED_ROUTES,
  ...LABEL_ROUTES,
  ...MEDIA_ROUTES,
  ...WEBHOOK_ROUTES,
  ...SANDBOX_ROUTES,
];

/** Path of the OpenAPI document. Needs no key and does not count toward the rate limit (D37). */
export const OPENAPI_PATH = '/v1/openapi.json';
