import type { Viewer } from '../domain/access/viewer.js';
import type { Posts, UpdateOutcome } from '../services/posts/post-outcomes.js';
import type { Answer } from './http-response.js';
import type { Dialect } from './requests/field-mapping.js';
import { presentRefusal } from './errors.js';
import { etagOf, expectedVersions, NO_VERSION } from './requests/etag.js';
import { readParams } from './requests/params.js';
import { presentDetail } from './bodies/post-bodies.js';
import { UPDATE_PARAMS } from './requests/post-params.js';
import { assertNone, type V1Parts, type V1Request } from './v1-route.js';
import { provenance, readIdempotencyKey } from './requests/write-headers.js';

/** "Update post": all that is wrong with the request at once, then what the workshop says (D21). */
export async function updatePost(
  viewer: Viewer,
  request: V1Request,
  { services, dialect }: V1Parts,
): Promise<Answer> {
  const { values, problems } = readParams(UPDATE_PARAMS, request.query, 'refused');
  const idempotency = readIdempotencyKey(request.headers);
  const body = dialect.readPost(request.body);
  assertNone([...problems, ...idempotency.problems, ...body.problems]);

  const dryRun = values.dry_run ?? false;
  const expectedVersion = await versionToExpect(viewer, request, services.posts);
  const outcome = await services.posts.update(viewer, {
    id: request.id,
    patch: body.patch,
    expectedVersion,
    idempotencyKey: idempotency.key,
    dryRun,
  });
  return presentUpdate(outcome, { dryRun, dialect });
}

/** The workshop takes one version: of several tags, the one the post has now, if it is among them. */
async function versionToExpect(
  viewer: Viewer,
  { id, headers }: V1Request,
  posts: Posts,
): Promise<number | undefined> {
  const versions = expectedVersions(headers['if-match']);
  if (versions === null) return undefined;
  if (versions.length <= 1) return versions[0] ?? NO_VERSION;
  const { version } = await posts.get(viewer, id, new Set(['version']));
  return versions.includes(version!) ? version! : NO_VERSION;
}

/** The versions of v1 are tags: the number that the workshop compared need not be one that was sent. */
const ANOTHER_VERSION = 'The post has another version than If-Match names; nothing was applied.';

/** A dry run has no tag: the version it speaks of does not exist. */
function presentUpdate(
  outcome: UpdateOutcome,
  { dryRun, dialect }: { dryRun: boolean; dialect: Dialect },
): Answer {
  const headers = provenance({ dryRun, replayed: outcome.replayed });
  if (outcome.kind === 'refused') {
    const messages = outcome.refusals.map(({ code, message }) =>
      code === 'CONFLICT' ? ANOTHER_VERSION : dialect.inV1Words(message),
    );
    const refused = presentRefusal(outcome.refusals[0]!.code, messages, messages[0]!);
    return { ...refused, headers: { ...refused.headers, ...headers } };
  }
  const body = presentDetail(outcome.post, { analytics: false });
  const tag: Record<string, string> = dryRun ? {} : { ETag: etagOf(outcome.post.version, body) };
  return {
    status: 200,
    headers: { ...headers, ...tag, ...(outcome.job && { 'X-Job-Id': outcome.job.id }) },
    body,
  };
}
