import type { Viewer } from '../domain/access/viewer.js';
import type { Posts, UpdateOutcome } from '../services/posts/post-outcomes.js';
import type { JsonResponse } from '../http/responses.js';
import type { FieldMapping } from './requests/field-mapping.js';
import { presentErrorBody } from '../http/errors.js';
import { etagOf, readIfMatch, NO_VERSION } from './requests/etag.js';
import { readParams } from './requests/params.js';
import { presentDetail } from './bodies/post-bodies.js';
import { UPDATE_PARAMS } from './requests/post-params.js';
import { assertNoProblems, type RouteDependencies, type RestRequest } from './route.js';
import { presentWriteHeaders, readIdempotencyKey } from './requests/write-headers.js';

/**
 * Handles "Update post". Reports all problems of the request together, before the domain rules are
 * checked (D21).
 */
export async function updatePost(
  viewer: Viewer,
  request: RestRequest,
  { services, fieldMapping }: RouteDependencies,
): Promise<JsonResponse> {
  const { values, problems } = readParams(UPDATE_PARAMS, request.query, 'reject');
  const idempotency = readIdempotencyKey(request.headers);
  const body = fieldMapping.readPost(request.body);
  assertNoProblems([...problems, ...idempotency.problems, ...body.problems]);

  const dryRun = values.dry_run ?? false;
  const expectedVersion = await readExpectedVersion(viewer, request, services.posts);
  const outcome = await services.posts.update(viewer, {
    id: request.id,
    patch: body.patch,
    expectedVersion,
    idempotencyKey: idempotency.key,
    dryRun,
  });
  return presentUpdate(outcome, { dryRun, fieldMapping });
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

/** Replaces the message of the service, which names version numbers: v1 clients send ETags. */
const VERSION_MISMATCH = 'The post has a different version than If-Match. Nothing was changed.';

/** The response to a dry run has no ETag, because the version was not saved. */
function presentUpdate(
  outcome: UpdateOutcome,
  { dryRun, fieldMapping }: { dryRun: boolean; fieldMapping: FieldMapping },
): JsonResponse {
  const headers = presentWriteHeaders({ dryRun, replayed: outcome.replayed });
  if (outcome.kind === 'refused') {
    const messages = outcome.refusals.map(({ code, message }) =>
      code === 'CONFLICT' ? VERSION_MISMATCH : fieldMapping.toV1Message(message),
    );
    const errorResponse = presentErrorBody(outcome.refusals[0]!.code, messages, messages[0]!);
    return { ...errorResponse, headers: { ...errorResponse.headers, ...headers } };
  }
  const body = presentDetail(outcome.post, { analytics: false });
  const etagHeader: Record<string, string> = dryRun
    ? {}
    : { ETag: etagOf(outcome.post.version, body) };
  return {
    status: 200,
    headers: { ...headers, ...etagHeader, ...(outcome.job && { 'X-Job-Id': outcome.job.id }) },
    body,
  };
}
