import type { Viewer } from '../domain/access/viewer.js';
import { GatewayError } from '../domain/errors.js';
import { REQUEST_LIMITS } from '../domain/input/request-limits.js';
import type { JsonResponse } from '../http/responses.js';
import { EXAMPLE_CURSOR, presentChangePage } from './bodies/change-bodies.js';
import { presentHistory } from './bodies/history-bodies.js';
import { detailSelection } from './bodies/post-bodies.js';
import { readParams, singleParam, type QueryParams } from './requests/params.js';
import {
  assertNoProblems,
  inWorkspace,
  type RestRequest,
  type RouteDependencies,
} from './route.js';

const { changes: MAX_CHANGES } = REQUEST_LIMITS;

/** A number of items, of a page of 1 to `max`. */
const sizeParam = (description: string, max: number, defaultSize: number) =>
  singleParam(
    {
      schema: { type: 'integer', minimum: 1, maximum: max, default: defaultSize, examples: [max] },
      description,
    },
    (value) =>
      /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= max
        ? { value: Number(value) }
        : { expected: `must be an integer from 1 to ${max}` },
  );

const CHANGES_PARAMS = {
  after: singleParam(
    {
      schema: { type: 'string', examples: [EXAMPLE_CURSOR] },
      description:
        '`next_cursor` of the previous page. If omitted, the page is empty, and its cursor marks the current position.',
    },
    (value) => ({ value }),
  ),
  first: sizeParam('Maximum number of changes.', MAX_CHANGES, MAX_CHANGES),
} satisfies QueryParams;

const HISTORY_SIZE = { max: 100, default: 20 } as const;
const MAX_VERSION = 2_147_483_647;
const HISTORY_PARAMS = {
  before: singleParam(
    {
      schema: { type: 'integer', minimum: 1, maximum: MAX_VERSION, examples: [MAX_VERSION] },
      description:
        'Only changes before this version. To read the next page, send the version of the last change of a page.',
    },
    (value) =>
      /^\d{1,10}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_VERSION
        ? { value: Number(value) }
        : { expected: `must be an integer from 1 to ${MAX_VERSION}` },
  ),
  first: sizeParam('Maximum number of changes.', HISTORY_SIZE.max, HISTORY_SIZE.default),
} satisfies QueryParams;

/** Fields of the posts, which have the form of "Get post". */
const FIELDS = detailSelection(false);

/** Handles "List changes" (D73). */
async function listChanges(
  viewer: Viewer,
  { query }: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  const { values, problems } = readParams(CHANGES_PARAMS, query, 'ignore');
  assertNoProblems(problems);
  const page = await services.changes.list(viewer, {
    after: values.after ?? null,
    first: values.first ?? MAX_CHANGES,
    fields: FIELDS,
  });
  return { status: 200, body: presentChangePage(page) };
}

/** Handles "Get history" (D71). */
async function getHistory(
  viewer: Viewer,
  { id, query }: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  const { values, problems } = readParams(HISTORY_PARAMS, query, 'ignore');
  assertNoProblems(problems);
  const { databaseId } = await services.posts.get(viewer, id, new Set());
  const pages = await services.history.pages(viewer, [databaseId], {
    limit: values.first ?? HISTORY_SIZE.default,
    ...(values.before !== undefined && { before: values.before }),
  });
  const page = pages.get(databaseId);
  if (!page) throw new GatewayError('POST_NOT_FOUND');
  return { status: 200, body: presentHistory(page) };
}

/** Routes of changes, and of the history of a post. */
export const CHANGE_ROUTES = [
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/posts/changes',
      operationId: 'listChanges',
      tag: 'Posts',
      summary: 'List changes',
      description:
        'Changes since a cursor to the posts that are visible to the user, in the order in which they happened. A page has one change for each post, with the current content of the post. A page can have fewer changes than requested, or none, even if `has_more` is true. A cursor that is older than 30 days, or that was created before a backup was restored, gets 410: read the whole list again.',
      scopes: [['posts:read']],
      params: CHANGES_PARAMS,
      requestHeaders: [],
      responseSchema: 'ChangeList',
      responseHeaders: [],
      errorCodes: ['CURSOR_EXPIRED'],
    },
    listChanges,
  ),
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/posts/{id}/history',
      operationId: 'getHistory',
      tag: 'Posts',
      summary: 'Get history',
      description:
        'Changes of a post, newest first: who changed which fields, when and how. For members other than its creator, the history begins with the change that made the post visible to them.',
      scopes: [['posts:read']],
      params: HISTORY_PARAMS,
      requestHeaders: [],
      responseSchema: 'History',
      responseHeaders: [],
      errorCodes: ['FORBIDDEN', 'POST_NOT_FOUND'],
    },
    getHistory,
  ),
];
