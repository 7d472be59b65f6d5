import type { Viewer } from '../domain/access/viewer.js';
import { REQUEST_LIMITS } from '../domain/input/request-limits.js';
import type { JsonResponse } from '../http/responses.js';
import { EXAMPLE_CURSOR, presentChangePage } from './bodies/change-bodies.js';
import { detailSelection } from './bodies/post-bodies.js';
import { readParams, singleParam, type QueryParams } from './requests/params.js';
import {
  assertNoProblems,
  inWorkspace,
  type RestRequest,
  type RouteDependencies,
} from './route.js';

const { changes: MAX_CHANGES } = REQUEST_LIMITS;

const CHANGES_PARAMS = {
  after: singleParam(
    {
      schema: { type: 'string', examples: [EXAMPLE_CURSOR] },
      description:
        '`next_cursor` of the previous page. If omitted, the page is empty, and its cursor stands for the present.',
    },
    (value) => ({ value }),
  ),
  first: singleParam(
    {
      schema: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_CHANGES,
        default: MAX_CHANGES,
        examples: [MAX_CHANGES],
      },
      description: 'Maximum number of changes.',
    },
    (value) =>
      /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_CHANGES
        ? { value: Number(value) }
        : { expected: `must be an integer from 1 to ${MAX_CHANGES}` },
  ),
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

/** Routes of changes. */
export const CHANGE_ROUTES = [
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/posts/changes',
      operationId: 'listChanges',
      tag: 'Posts',
      summary: 'List changes',
      description:
        'Changes, since an earlier page, to the posts that are visible to the user, in the order in which they happened. A page has one change for each post, with the current content of the post. A page can have fewer changes than requested, or none, even if `has_more` is true. A cursor that is older than 30 days, or from before the restore of a backup, is answered with 410: read the whole list again.',
      scopes: [['posts:read']],
      params: CHANGES_PARAMS,
      requestHeaders: [],
      responseSchema: 'ChangeList',
      responseHeaders: [],
      errorCodes: ['CURSOR_EXPIRED'],
    },
    listChanges,
  ),
];
