import type { Viewer } from '../domain/access/viewer.js';
import { GatewayError } from '../domain/errors.js';
import type { Posts, UpdateOutcome } from '../services/posts/post-outcomes.js';
import type { JsonResponse } from '../http/responses.js';
import { presentError, presentRefusals } from './errors.js';
import type { FieldMapping } from './requests/field-mapping.js';
import { etagOf, readIfMatch, NO_VERSION } from './requests/etag.js';
import { readParams } from './requests/params.js';
import { detailSelection, presentDetail } from './bodies/post-bodies.js';
import { UPDATE_PARAMS } from './requests/post-params.js';
import { assertNoProblems, type RouteDependencies, type RestRequest } from './route.js';
import type { PostView } from '../domain/posts/post-query.js';
import { presentWriteHeaders, readIdempotencyKey } from './requests/change-headers.js';

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
  const response = presentUpdate(outcome, { dryRun, fieldMapping });
  return outcome.kind === 'refused' && outcome.refusals[0]?.code === 'CONFLICT'
    ? presentConflict(
        response,
        await services.posts.get(viewer, request.id, detailSelection(false)),
      )
    : response;
}

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

/** The response to a dry run has no ETag, because the version was not saved. */
function presentUpdate(
  outcome: UpdateOutcome,
  { dryRun, fieldMapping }: { dryRun: boolean; fieldMapping: FieldMapping },
): JsonResponse {
  const headers = presentWriteHeaders({ dryRun, replayed: outcome.replayed });
  if (outcome.kind === 'refused') {
    const errorResponse = presentRefusals(outcome.refusals, ({ message }) =>
      fieldMapping.toV1Message(message),
    );
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
