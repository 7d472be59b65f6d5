import type { Viewer } from '../domain/access/viewer.js';
import type { JsonResponse } from '../http/responses.js';
import { deletePosts } from './delete-posts.js';
import { ETAG, etagOf, IF_NONE_MATCH, matchesIfNoneMatch } from './requests/etag.js';
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
  findTimeRangeProblems,
  toFilter,
  UPDATE_PARAMS,
} from './requests/post-params.js';
import { updatePost } from './update-post.js';
import {
  assertNoProblems,
  inWorkspace,
  type RouteDependencies,
  type RestRequest,
} from './route.js';
import { AFTER_POSITION, DRY_RUN, IDEMPOTENCY_KEY, REPLAYED } from './requests/change-headers.js';

/** Handles "List posts": newest `scheduled_at` first, undated posts last (D14). */
async function listPosts(
  viewer: Viewer,
  { query }: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  const { values, problems } = readParams(LIST_PARAMS, query, 'ignore');
  assertNoProblems([...problems, ...findTimeRangeProblems((name) => Boolean(query[name]), values)]);
  const page = values.page ?? 0;
  const result = await services.posts.list(
    viewer,
    {
      filter: toFilter(values),
      order: { field: 'scheduled_at', direction: 'desc' },
      slice: { kind: 'page', page, perPage: PER_PAGE },
    },
    { fields: SUMMARY_SELECTION, totalCount: true, facets: false, items: true },
  );
  return { status: 200, body: presentList(page, result) };
}

/** Handles "Get post". Returns 304 if the client has the current body. */
async function getPost(
  viewer: Viewer,
  { id, query, headers }: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  const { values, problems } = readParams(DETAIL_PARAMS, query, 'ignore');
  assertNoProblems(problems);
  const analytics = values.analytics ?? false;
  const post = await services.posts.get(viewer, id, detailSelection(analytics));
  const body = presentDetail(post, { analytics });
  const etag = etagOf(post.version!, body);
  if (matchesIfNoneMatch(headers['if-none-match'], etag))
    return { status: 304, headers: { ETag: etag } };
  return { status: 200, headers: { ETag: etag }, body };
}

/** Routes of posts. */
export const POST_ROUTES = [
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/posts',
      operationId: 'listPosts',
      tag: 'Posts',
      summary: 'List posts',
      description:
        'Ten posts per page, newest `scheduled_at` first, undated posts last. A post must match every filter, and at least one of the values of each filter.',
      scopes: [['posts:read']],
      params: LIST_PARAMS,
      requestHeaders: [AFTER_POSITION],
      responseSchema: 'PostList',
      responseHeaders: [],
      errorCodes: [],
    },
    listPosts,
  ),
  inWorkspace(
    {
      method: 'DELETE',
      path: '/v1/posts',
      operationId: 'deletePosts',
      tag: 'Posts',
      summary: 'Delete posts',
      description:
        'Deletes 1 to 100 posts. Posts that cannot be deleted are skipped; `failures` lists the reason by ID and is omitted if there are none. Published posts stay on their social networks, unless `on_network=true` is sent: then the response is 202, and the failures of the job also list the posts that cannot be deleted.',
      scopes: [['posts:write']],
      params: DELETE_PARAMS,
      requestHeaders: [
        IDEMPOTENCY_KEY,
        {
          name: 'If-Match',
          description:
            'ETags of the posts, or `*`. If a post that would be deleted has none of these versions, the response is 412 and nothing is deleted.',
          example: '"3-Q0dJm1yV8cT4nR7bX2wLzA"',
        },
      ],
      acceptedSchema: 'RemovalJob',
      responseSchema: 'Deleted',
      responseHeaders: [DRY_RUN, REPLAYED],
      errorCodes: [
        'FORBIDDEN',
        'POST_NOT_FOUND',
        'CONFLICT',
        'IDEMPOTENCY_MISMATCH',
        'IDEMPOTENCY_IN_FLIGHT',
        'PUBLISHING',
      ],
    },
    deletePosts,
  ),
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/posts/{id}',
      operationId: 'getPost',
      tag: 'Posts',
      summary: 'Get post',
      description:
        'All fields of a post. Send the `ETag` of the response as `If-Match` of an update to detect concurrent changes.',
      scopes: [['posts:read']],
      params: DETAIL_PARAMS,
      requestHeaders: [IF_NONE_MATCH, AFTER_POSITION],
      responseSchema: 'PostDetail',
      responseHeaders: [{ ...ETAG, isAlwaysSent: true }],
      errorCodes: ['FORBIDDEN', 'POST_NOT_FOUND'],
    },
    getPost,
  ),
  inWorkspace(
    {
      method: 'PUT',
      path: '/v1/posts/{id}',
      operationId: 'updatePost',
      tag: 'Posts',
      summary: 'Update post',
      description:
        'Merges the body into the post: absent fields are unchanged, `null` clears a field, arrays are replaced, objects are merged key by key. For a published post, only the fields that its network can edit are allowed; the job in `X-Job-Id` sends the change to the network. If one field is rejected, nothing is changed.',
      scopes: [['posts:write']],
      params: UPDATE_PARAMS,
      requestSchema: 'UpdatePost',
      requestHeaders: [
        IDEMPOTENCY_KEY,
        {
          name: 'If-Match',
          description:
            'ETags of the versions that the change is based on, or `*`. If the post has another version, the response is 412 and nothing is changed.',
          example: '"3-Q0dJm1yV8cT4nR7bX2wLzA"',
        },
      ],
      responseSchema: 'PostDetail',
      responseHeaders: [
        ETAG,
        DRY_RUN,
        REPLAYED,
        {
          name: 'X-Job-Id',
          description: 'ID of the job that sends the change to the social network.',
          example: 'job_5kTq8wEr2yUi4oPa',
          schema: { ...TEXT, pattern: '^job_' },
        },
      ],
      errorCodes: [
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
        'PUBLISHING',
      ],
    },
    updatePost,
  ),
];
