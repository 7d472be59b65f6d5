import { assertReadsDryRun, type Viewer } from '../../domain/access/viewer.js';
import { GatewayError } from '../../domain/errors.js';
import type { PostView } from '../../domain/posts/post-query.js';
import type { JsonResponse } from '../../http/responses.js';
import type { Posts } from '../../services/posts/posts.js';
import type { UpdateOutcome } from '../../services/posts/update-post.js';
import { presentError, presentRefusals } from '../errors.js';
import type { FieldMapping } from '../field-mapping.js';
import {
  DRY_RUN,
  ETAG,
  etagOf,
  IDEMPOTENCY_KEY,
  NO_VERSION,
  readIfMatch,
  REPLAYED,
  withChangeHeaders,
  type ResponseHeader,
} from '../headers.js';
import { TEXT } from '../../http/json-schema.js';
import { FLAG, singleParam, type QueryParams } from '../query-params.js';
import { inWorkspace, readChange, type RestRequest } from '../route.js';
import { detailSelection, presentDetail, withSeriesChange } from './post-bodies.js';

/** Query parameters of "Update post". */
export const UPDATE_PARAMS = {
  dry_run: singleParam(
    FLAG,
    'Checks all rules and returns the response that the update would have, without changing anything. Labels and media that would be created have placeholder IDs such as `dry_run_label_1` and `dry_run_media_1`.',
    true,
  ),
} satisfies QueryParams;

/** What the client needs to decide again: the version of the post, and its ETag. */
function presentConflict({ headers }: JsonResponse, post: PostView): JsonResponse {
  const message = `The post has version ${post.version}, which does not match If-Match. Nothing was changed.`;
  const etag = etagOf(post.version!, presentDetail(post, { analytics: false }));
  const error = presentError(new GatewayError('CONFLICT', message));
  return { ...error, headers: { ...error.headers, ...headers, ETag: etag } };
}

/**
 * The service accepts a single version. If there are several ETags, it is the current version of
 * the post, provided that one of them has it.
 */
async function readExpectedVersion(
  viewer: Viewer,
  { id, headers }: RestRequest,
  posts: Posts,
): Promise<number | undefined> {
  const versions = readIfMatch(headers['if-match']);
  if (versions === null) return undefined;
  if (versions.length <= 1) return versions[0] ?? NO_VERSION;
  const { version } = await posts.get(viewer, id, new Set(['version']));
  return versions.includes(version!) ? version! : NO_VERSION;
}

/** The post that an update makes a post a duplicate of (D49). */
const DUPLICATE_OF: ResponseHeader = {
  name: 'X-Duplicate-Of',
  description:
    'ID of another post of the account that has the same content within 24 hours. Absent if there is none.',
  example: '66f1a2b3c4d5e6f708192a3b',
  schema: { ...TEXT, pattern: '^[0-9a-f]{24}$' },
};

/** The response to a dry run has no ETag, because the version was not saved. */
function presentUpdate(
  outcome: UpdateOutcome,
  { dryRun, fieldMapping }: { dryRun: boolean; fieldMapping: FieldMapping },
): JsonResponse {
  const marks = { dryRun, replayed: outcome.replayed };
  if (outcome.kind === 'refused')
    return withChangeHeaders(presentRefusals(outcome.refusals, fieldMapping.toV1Message), marks);
  const { post, job, series, duplicateOf } = outcome;
  const detail = presentDetail(post, { analytics: false });
  const headers = {
    ...(!dryRun && { ETag: etagOf(post.version, detail) }),
    ...(job && { 'X-Job-Id': job.id }),
    ...(duplicateOf !== null && { [DUPLICATE_OF.name]: duplicateOf }),
  };
  return withChangeHeaders({ status: 200, headers, body: withSeriesChange(detail, series) }, marks);
}

/**
 * Reports all problems of the request together, before the domain rules are checked (D21).
 */
export const UPDATE_POST = inWorkspace(
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
      DUPLICATE_OF,
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
  async (viewer, request, { services, fieldMapping }) => {
    const { patch, problems } = fieldMapping.readPost(request.body);
    const { idempotencyKey, dryRun } = readChange(UPDATE_PARAMS, request, problems);
    assertReadsDryRun(request.caller, dryRun);
    const outcome = await services.posts.update(viewer, {
      id: request.id,
      patch,
      expectedVersion: await readExpectedVersion(viewer, request, services.posts),
      duplicates: 'warn',
      idempotencyKey,
      dryRun,
    });
    const response = presentUpdate(outcome, { dryRun, fieldMapping });
    return outcome.kind === 'refused' && outcome.refusals[0]?.code === 'CONFLICT'
      ? presentConflict(
          response,
          await services.posts.get(viewer, request.id, detailSelection(false)),
        )
      : response;
  },
);
