import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import type { JsonResponse } from '../../http/responses.js';
import type { DeleteOutcome } from '../../services/posts/delete-posts.js';
import { presentNoneDeleted, presentRefusals } from '../errors.js';
import type { FieldMapping } from '../field-mapping.js';
import { DRY_RUN, IDEMPOTENCY_KEY, readIfMatch, REPLAYED, withChangeHeaders } from '../headers.js';
import { arrayOf, objectOf, TEXT, type JsonSchema } from '../../http/json-schema.js';
import {
  FLAG,
  listParam,
  POST_ID,
  singleParam,
  type QueryParam,
  type QueryParams,
} from '../query-params.js';
import { inWorkspace, readChange } from '../route.js';

const { deletedIds: MAX_DELETED } = REQUEST_LIMITS;

const ids = listParam(
  POST_ID,
  `1 to ${MAX_DELETED} post IDs. Document IDs and database IDs are accepted.`,
  {
    name: 'post_ids[]',
    example: ['6740a1f2c3d4e5f607182930', '7'],
  },
);

/** Query parameters of "Delete posts". */
export const DELETE_PARAMS = {
  post_ids: {
    ...ids,
    isRequired: true,
    schema: { ...ids.schema, minItems: 1, maxItems: MAX_DELETED },
    read(values) {
      const result = ids.read(values);
      if ('expected' in result || (result.value.length >= 1 && result.value.length <= MAX_DELETED))
        return result;
      return { expected: `must be 1 to ${MAX_DELETED} post IDs` };
    },
  } as QueryParam<string[]>,
  on_network: singleParam(
    FLAG,
    'Whether to remove published posts from their social networks first. The response is then 202 with a job, which deletes the posts here as soon as their networks no longer have them.',
    true,
  ),
  dry_run: singleParam(
    FLAG,
    'Returns the response that the deletion would have, without deleting anything.',
    true,
  ),
} satisfies QueryParams;

/** Schema of the response to a deletion. */
export const DELETED_SCHEMA: JsonSchema = objectOf(
  {
    deleted_ids: arrayOf(TEXT),
    failures: {
      type: 'object',
      additionalProperties: arrayOf(TEXT),
      description:
        'Reasons by ID, as sent, of the posts that were not deleted. Omitted if all were deleted.',
    },
  },
  ['failures'],
);

/** Schema of the response to a deletion on networks. */
export const REMOVAL_JOB_SCHEMA: JsonSchema = objectOf({ job_id: { ...TEXT, pattern: '^job_' } });

function presentDeletion(outcome: DeleteOutcome, { toV1Message }: FieldMapping): JsonResponse {
  if (outcome.kind === 'refused') return presentRefusals(outcome.refusals, toV1Message);
  // In a dry run on networks, some would be deleted by the job.
  const deleted = outcome.results.filter(({ code }) => code === null);
  const rejected = outcome.results
    .filter(({ code }) => code !== null)
    .map((result) => ({ ...result, message: result.message && toV1Message(result.message) }));
  if (deleted.length === 0) return presentNoneDeleted(rejected);
  if (outcome.job) return { status: 202, body: { job_id: outcome.job.id } };
  const failures = Object.fromEntries(rejected.map(({ id, message }) => [id, [message]]));
  return {
    status: 200,
    body: { deleted_ids: deleted.map(({ id }) => id), ...(rejected.length > 0 && { failures }) },
  };
}

/** Skips posts that cannot be deleted (D31). */
export const DELETE_POSTS = inWorkspace(
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
  async (viewer, request, { services, fieldMapping }) => {
    const { values, idempotencyKey, dryRun } = readChange(DELETE_PARAMS, request);
    const outcome = await services.posts.delete(viewer, {
      ids: values.post_ids ?? [],
      policy: 'skip_refused',
      onNetwork: values.on_network ?? false,
      expectedVersions: readIfMatch(request.headers['if-match']) ?? undefined,
      idempotencyKey,
      dryRun,
    });
    return withChangeHeaders(presentDeletion(outcome, fieldMapping), {
      dryRun,
      replayed: outcome.replayed,
    });
  },
);
