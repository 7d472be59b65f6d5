import type { Viewer } from '../domain/access/viewer.js';
import type { RemoveOutcome, RemoveResult } from '../services/posts/post-outcomes.js';
import type { Answer } from './http-response.js';
import { presentRefusal } from './errors.js';
import { listOf, objectOf, TEXT, type JsonSchema } from './bodies/json-schema.js';
import { readParams } from './requests/params.js';
import { DELETE_PARAMS } from './requests/post-params.js';
import { assertNone, type V1Parts, type V1Request } from './v1-route.js';
import { provenance, readIdempotencyKey } from './requests/write-headers.js';

export const DELETED: JsonSchema = objectOf(
  {
    deleted_ids: listOf(TEXT),
    failures: {
      type: 'object',
      additionalProperties: listOf(TEXT),
      description: 'Id as sent → why it was not deleted; only where some were not (D31).',
    },
  },
  ['failures'],
);

/** "Delete posts". */
export async function deletePosts(
  viewer: Viewer,
  request: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  const { values, problems } = readParams(DELETE_PARAMS, request.query, 'refused');
  const idempotency = readIdempotencyKey(request.headers);
  assertNone([...problems, ...idempotency.problems]);

  const dryRun = values.dry_run ?? false;
  const ids = values.post_ids ?? [];
  const outcome = await services.posts.remove(viewer, {
    ids,
    policy: 'skip_refused',
    idempotencyKey: idempotency.key,
    dryRun,
  });
  const { headers, ...answer } = presentRemoval(outcome);
  return {
    ...answer,
    headers: { ...headers, ...provenance({ dryRun, replayed: outcome.replayed }) },
  };
}

function presentRemoval(outcome: RemoveOutcome): Answer {
  if (outcome.kind === 'refused') {
    const messages = outcome.refusals.map(({ message }) => message);
    return presentRefusal(outcome.refusals[0]!.code, messages, messages[0]!);
  }
  const deleted = outcome.results.filter((one) => one.deleted);
  const refused = outcome.results.filter((one) => !one.deleted);
  if (deleted.length === 0) return noneDeleted(refused);
  const failures = Object.fromEntries(refused.map(({ id, message }) => [id, [message]]));
  return {
    status: 200,
    body: { deleted_ids: deleted.map(({ id }) => id), ...(refused.length > 0 && { failures }) },
  };
}

/** 422 when every id is unknown, else 403: the document's "delete not permitted" (D31). */
function noneDeleted(refused: readonly RemoveResult[]): Answer {
  const isUnknown = refused.every(({ code }) => code === 'POST_NOT_FOUND');
  const messages = refused.map(({ id, message }) => `${id}: ${message}`);
  return isUnknown
    ? presentRefusal('POST_NOT_FOUND', messages, 'No post has any of these identifiers.')
    : presentRefusal('FORBIDDEN', messages, 'None of these posts may be deleted.');
}
