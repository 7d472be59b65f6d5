import type { Viewer } from '../../../domain/access/viewer.js';
import { EMPTY_CHANGE, type Change, type PostWrite } from '../../../domain/changes/change.js';
import { toActor } from '../../../domain/events/actor.js';
import { isPending } from '../../../domain/posts/states.js';
import type { ChangeDependencies } from '../update-post.js';
import type { DeletablePost } from './deletion-targets.js';

const TEXT = new Set(['text'] as const);

/**
 * Notifications of the creators of pending posts. The texts are read here, because most deletions
 * need none.
 */
async function deletionNotifications(
  { store, ids }: ChangeDependencies,
  viewer: Viewer,
  posts: readonly DeletablePost[],
): Promise<Change['notifications']> {
  const pending = posts.filter(({ storedState }) => isPending(storedState));
  if (pending.length === 0) return [];
  const postIds = pending.map(({ databaseId }) => ({ kind: 'database', id: databaseId }) as const);
  const lookups = await store.findEach(viewer, postIds, TEXT);
  return pending.map((post, index) => {
    const lookup = lookups[index]!;
    // If the post is gone, or its text is a later one, the deletion is decided again.
    const text = lookup.kind === 'found' ? lookup.post.text : '';
    return {
      id: ids.prefixed('ntf'),
      userId: post.creatorId,
      kind: 'pending_post_deleted',
      message: `${viewer.user.name} deleted your post that was awaiting approval: ${[...text].slice(0, 80).join('')}`,
      postId: post.databaseId,
    };
  });
}

/**
 * The deletion as a change: a series is deleted with its future children (D23); creators of pending
 * posts are notified.
 */
export async function planDeletion(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  posts: readonly DeletablePost[],
): Promise<Change> {
  const { store, clock } = dependencies;
  const series = posts.filter((post) => post.storedState === 'recurring');
  const children = (
    await Promise.all(series.map(({ databaseId }) => store.futureChildren(databaseId, new Date(0))))
  ).flat();
  const allPosts = [
    ...new Map<number, DeletablePost>(
      [...posts, ...children].map((post) => [post.databaseId, post]),
    ).values(),
  ];
  const writes = allPosts.map((before): PostWrite => ({ kind: 'delete', before }));
  return {
    ...EMPTY_CHANGE,
    workspaceId: viewer.workspace.id,
    actor: toActor(viewer),
    at: clock.now(),
    posts: writes,
    notifications: await deletionNotifications(dependencies, viewer, allPosts),
    seriesWithoutQueuedChildren: series.map(({ databaseId }) => databaseId),
  };
}
