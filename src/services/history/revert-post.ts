import type { ChangeDependencies } from '../changes/run-change.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Refusal } from '../../domain/errors.js';
import { revertPatch } from '../../domain/history/revert-patch.js';
import type { PostPatch } from '../../domain/posts/post-patch.js';
import type { Post } from '../../domain/posts/post.js';
import { patchPost, type UpdateOutcome, type UpdateRequest } from '../posts/update-post.js';
import type { HistoryStore } from '../../persistence/history/history-store.js';

/** Dependencies of reverts. */
export interface RevertDependencies extends ChangeDependencies {
  readonly history: HistoryStore;
}

/** An update that gives the fields of a post the values of an earlier version. */
export interface RevertRequest extends Omit<UpdateRequest, 'patch'> {
  readonly toVersion: number;
}

const unknownVersion = (message: string): Refusal => ({
  code: 'RULE_VIOLATION',
  message,
  path: ['toVersion'],
  rule: 'D71',
});

async function patchTo(
  { history }: RevertDependencies,
  viewer: Viewer,
  { post, toVersion }: { post: Post; toVersion: number },
): Promise<PostPatch | readonly Refusal[]> {
  if (toVersion > post.version)
    return [
      unknownVersion(
        `The post has no version ${toVersion} yet. Its current version is ${post.version}.`,
      ),
    ];
  const [changes, stored] = await Promise.all([
    history.valuesSince(post.databaseId, toVersion),
    history.read(viewer, [post.databaseId], { limit: 1 }),
  ]);
  const visibleFrom = stored.get(post.databaseId)?.visibleFrom ?? post.version;
  const later = changes.filter(({ version }) => version <= post.version);
  // A change without stored values, or one that the viewer must not see (D13).
  if (toVersion < visibleFrom || later.length < post.version - toVersion)
    return [unknownVersion(`The history of the post has no version ${toVersion}.`)];
  return revertPatch(
    post,
    later.map(({ changes: values }) => values),
  );
}

/**
 * Gives the fields of a post the values of an earlier version: an update with these values, to
 * which every rule of updates applies (D71).
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export const revertPost = (
  dependencies: RevertDependencies,
  viewer: Viewer,
  { toVersion, ...request }: RevertRequest,
): Promise<UpdateOutcome> =>
  patchPost(dependencies, viewer, {
    ...request,
    operation: 'revert',
    input: { toVersion },
    patchOf: (post) => patchTo(dependencies, viewer, { post, toVersion }),
  });
