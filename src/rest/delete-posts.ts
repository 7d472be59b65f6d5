import type { Viewer } from '../domain/access/viewer.js';
import type { DeleteOutcome, DeleteResult } from '../services/posts/post-outcomes.js';
import type { JsonResponse } from '../http/responses.js';
import { presentErrorBody } from '../http/errors.js';
import { arrayOf, objectOf, TEXT, type JsonSchema } from './bodies/json-schema.js';
import { readParams } from './requests/params.js';
import { DELETE_PARAMS } from './requests/post-params.js';
import { assertNoProblems, type RouteDependencies, type RestRequest } from './route.js';
import { presentWriteHeaders, readIdempotencyKey } from './requests/write-headers.js';

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

/** Handles "Delete posts". Skips posts that cannot be deleted (D31). */
export async function deletePosts(
  viewer: Viewer,
  request: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  const { values, problems } = readParams(DELETE_PARAMS, request.query, 'reject');
  const idempotency = readIdempotencyKey(request.headers);
  assertNoProblems([...problems, ...idempotency.problems]);

  const dryRun = values.dry_run ?? false;
  const ids = values.post_ids ?? [];
  const outcome = await services.posts.delete(viewer, {
    ids,
    policy: 'skip_refused',
    idempotencyKey: idempotency.key,
    dryRun,
  });
  const { headers, ...response } = presentDeletion(outcome);
  return {
    ...response,
    headers: { ...headers, ...presentWriteHeaders({ dryRun, replayed: outcome.replayed }) },
  };
}

function presentDeletion(outcome: DeleteOutcome): JsonResponse {
  if (outcome.kind === 'refused') {
    const messages = outcome.refusals.map(({ message }) => message);
    return presentErrorBody(outcome.refusals[0]!.code, messages, messages[0]!);
  }
  const deleted = outcome.results.filter((result) => result.deleted);
  const rejected = outcome.results.filter((result) => !result.deleted);
  if (deleted.length === 0) return presentNoneDeleted(rejected);
  const failures = Object.fromEntries(rejected.map(({ id, message }) => [id, [message]]));
  return {
    status: 200,
    body: { deleted_ids: deleted.map(({ id }) => id), ...(rejected.length > 0 && { failures }) },
  };
}

/** 422 if every ID is unknown, else 403: "delete not permitted" of the interface document (D31). */
function presentNoneDeleted(rejected: readonly DeleteResult[]): JsonResponse {
  const isAllUnknown = rejected.every(({ code }) => code === 'POST_NOT_FOUND');
  const messages = rejected.map(({ id, message }) => `${id}: ${message}`);
  return isAllUnknown
    ? presentErrorBody('POST_NOT_FOUND', messages, 'No post has any of these IDs.')
    : presentErrorBody('FORBIDDEN', messages, 'None of these posts can be deleted.');
}
