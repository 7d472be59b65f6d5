import type { Viewer } from '../domain/access/viewer.js';
import type { DeleteOutcome } from '../services/posts/post-outcomes.js';
import type { JsonResponse } from '../http/responses.js';
import { arrayOf, objectOf, TEXT, type JsonSchema } from './bodies/json-schema.js';
import { presentNoneDeleted, presentRefusals } from './errors.js';
import type { FieldMapping } from './requests/field-mapping.js';
import { readIfMatch } from './requests/etag.js';
import { readParams } from './requests/params.js';
import { DELETE_PARAMS } from './requests/post-params.js';
import { assertNoProblems, type RouteDependencies, type RestRequest } from './route.js';
import { presentWriteHeaders, readIdempotencyKey } from './requests/change-headers.js';

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

/** Handles "Delete posts". Skips posts that cannot be deleted (D31). */
export async function deletePosts(
  viewer: Viewer,
  request: RestRequest,
  { services, fieldMapping }: RouteDependencies,
): Promise<JsonResponse> {
  const { values, problems } = readParams(DELETE_PARAMS, request.query, 'reject');
  const idempotency = readIdempotencyKey(request.headers);
  assertNoProblems([...problems, ...idempotency.problems]);

  const dryRun = values.dry_run ?? false;
  const ids = values.post_ids ?? [];
  const outcome = await services.posts.delete(viewer, {
    ids,
    policy: 'skip_refused',
    onNetwork: values.on_network ?? false,
    expectedVersions: readIfMatch(request.headers['if-match']) ?? undefined,
    idempotencyKey: idempotency.key,
    dryRun,
  });
  const { headers, ...response } = presentDeletion(outcome, fieldMapping);
  return {
    ...response,
    headers: { ...headers, ...presentWriteHeaders({ dryRun, replayed: outcome.replayed }) },
  };
}

function presentDeletion(outcome: DeleteOutcome, { toV1Message }: FieldMapping): JsonResponse {
  if (outcome.kind === 'refused')
    return presentRefusals(outcome.refusals, ({ message }) => toV1Message(message));
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
