import type { Viewer } from '../domain/access/viewer.js';
import type { Answer } from './http-response.js';
import { deletePosts } from './delete-posts.js';
import { etagOf, isNoneMatch } from './requests/etag.js';
import { readParams } from './requests/params.js';
import { TEXT } from './bodies/json-schema.js';
import {
  detailSelection,
  PER_PAGE,
  presentDetail,
  presentList,
  SUMMARY_SELECTION,
} from './bodies/post-bodies.js';
import {
  DELETE_PARAMS,
  DETAIL_PARAMS,
  LIST_PARAMS,
  spanProblems,
  toFilter,
  UPDATE_PARAMS,
} from './requests/post-params.js';
import { updatePost } from './update-post.js';
import {
  assertNone,
  inWorkspace,
  type AnswerHeader,
  type V1Parts,
  type V1Request,
} from './v1-route.js';
import { DRY_RUN, IDEMPOTENCY_KEY, REPLAYED } from './requests/write-headers.js';

const ETAG: AnswerHeader = {
  name: 'ETag',
  meaning: 'Strong: the version, and a hash of the body (D26). A dry run has none.',
  example: '"3-Q0dJm1yV8cT4nR7bX2wLzA"',
  schema: { ...TEXT, pattern: '^"\\d+-[\\w-]+"$' },
};

/** "List posts": newest scheduled first, undated last (D14). */
async function listPosts(
  viewer: Viewer,
  { query }: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  const { values, problems } = readParams(LIST_PARAMS, query, 'ignored');
  assertNone([...problems, ...spanProblems((name) => query[name] !== undefined, values)]);
  const page = values.page ?? 0;
  const found = await services.posts.list(
    viewer,
    {
      filter: toFilter(values),
      order: { field: 'scheduled_at', direction: 'desc' },
      slice: { kind: 'page', page, perPage: PER_PAGE },
    },
    { fields: SUMMARY_SELECTION, totalCount: true, facets: false, items: true },
  );
  return { status: 200, body: presentList(page, found) };
}

/** "Get post". */
async function getPost(
  viewer: Viewer,
  { id, query, headers }: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  const { values, problems } = readParams(DETAIL_PARAMS, query, 'ignored');
  assertNone(problems);
  const analytics = values.analytics ?? false;
  const post = await services.posts.get(viewer, id, detailSelection(analytics));
  const body = presentDetail(post, { analytics });
  const etag = etagOf(post.version!, body);
  if (isNoneMatch(headers['if-none-match'], etag)) return { status: 304, headers: { ETag: etag } };
  return { status: 200, headers: { ETag: etag }, body };
}

export const POST_ROUTES = [
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/posts',
      name: 'listPosts',
      group: 'Posts',
      summary: 'List posts',
      meaning:
        'Ten posts a page, newest `scheduled_at` first, undated ones last. Different filters narrow each other, several values of one widen it.',
      scopes: [['posts:read']],
      params: LIST_PARAMS,
      requestHeaders: [],
      gives: 'PostList',
      answerHeaders: [],
      refusals: [],
    },
    listPosts,
  ),
  inWorkspace(
    {
      method: 'DELETE',
      path: '/v1/posts',
      name: 'deletePosts',
      group: 'Posts',
      summary: 'Delete posts',
      meaning:
        'One to a hundred posts. What may be deleted is; `failures` tells of each other id why not, and is left out where there is none. Posts on the social networks stay there.',
      scopes: [['posts:write']],
      params: DELETE_PARAMS,
      requestHeaders: [IDEMPOTENCY_KEY],
      gives: 'Deleted',
      answerHeaders: [DRY_RUN, REPLAYED],
      refusals: ['FORBIDDEN', 'POST_NOT_FOUND', 'IDEMPOTENCY_MISMATCH', 'IDEMPOTENCY_IN_FLIGHT'],
    },
    deletePosts,
  ),
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/posts/{id}',
      name: 'getPost',
      group: 'Posts',
      summary: 'Get post',
      meaning:
        'One post with all that it has, and the `ETag` by which an update can say which version it was made on.',
      scopes: [['posts:read']],
      params: DETAIL_PARAMS,
      requestHeaders: [
        {
          name: 'If-None-Match',
          meaning: 'Tags of bodies the client has: 304 where one is current.',
          example: '"2-kP5sG9hF3aD6uN1eY8iOtB"',
        },
      ],
      gives: 'PostDetail',
      answerHeaders: [{ ...ETAG, isAlways: true }],
      refusals: ['FORBIDDEN', 'POST_NOT_FOUND'],
    },
    getPost,
  ),
  inWorkspace(
    {
      method: 'PUT',
      path: '/v1/posts/{id}',
      name: 'updatePost',
      group: 'Posts',
      summary: 'Update post',
      meaning:
        'Merges: an absent field stays, `null` clears, an array replaces, objects merge key by key. A published post may change what its network lets change: the job that `X-Job-Id` names brings it there. One refused field, and nothing is applied.',
      scopes: [['posts:write']],
      params: UPDATE_PARAMS,
      takes: 'UpdatePost',
      requestHeaders: [
        IDEMPOTENCY_KEY,
        {
          name: 'If-Match',
          meaning:
            'Tags of versions the change was made on, or `*`; another version is 412 and nothing is applied.',
          example: '"3-Q0dJm1yV8cT4nR7bX2wLzA"',
        },
      ],
      gives: 'PostDetail',
      answerHeaders: [
        ETAG,
        DRY_RUN,
        REPLAYED,
        {
          name: 'X-Job-Id',
          meaning: 'The job that brings the change to the social network (D22).',
          example: 'job_5kTq8wEr2yUi4oPa',
          schema: { ...TEXT, pattern: '^job_' },
        },
      ],
      refusals: [
        'FORBIDDEN',
        'POST_NOT_FOUND',
        'CONFLICT',
        'RULE_VIOLATION',
        'APPROVAL_REQUIRED',
        'DAILY_LIMIT_EXCEEDED',
        'MEDIA_NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'IDEMPOTENCY_MISMATCH',
        'IDEMPOTENCY_IN_FLIGHT',
      ],
    },
    updatePost,
  ),
];
