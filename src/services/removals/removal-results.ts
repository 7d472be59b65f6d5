import { EMPTY_CHANGE, type Change, type PostWrite } from '../../domain/changes/change.js';
import { SERVICE } from '../../domain/events/actor.js';
import type { JobFailure } from '../../domain/jobs/job.js';
import type { Post } from '../../domain/posts/post.js';
import { storedStateAfter } from '../../domain/posts/transitions.js';
import type { RemovalSubject } from './removal-ports.js';

/** A removal, and the time of its result. */
interface EndedRemoval {
  readonly jobId: string;
  readonly subject: RemovalSubject;
  readonly at: Date;
}

const CHANGED_BY_REMOVAL = [
  'storedState',
  'postLink',
  'remoteId',
] as const satisfies readonly (keyof Post)[];

/** A post that its network no longer has, with nothing that leads there. */
function removedPost(post: Post, at: Date): Post {
  const storedState = storedStateAfter(post.storedState, 'deleted_on_network');
  return storedState === post.storedState
    ? post
    : {
        ...post,
        storedState,
        postLink: null,
        remoteId: null,
        version: post.version + 1,
        updatedAt: at,
      };
}

/** The post is not on its network: its state, and its deletion if that was requested (D62). */
export function toRemovedChange({ jobId, subject, at }: EndedRemoval): Change {
  const { post: before, isDeleted, deletesPost, actor } = subject;
  const after = removedPost(before, at);
  const posts: PostWrite[] = [];
  if (after !== before)
    posts.push({
      kind: 'update',
      before,
      after,
      changed: CHANGED_BY_REMOVAL,
      slots: null,
      ...(isDeleted && { isDeleted }),
    });
  if (deletesPost && !isDeleted) posts.push({ kind: 'delete', before: after });
  return {
    ...EMPTY_CHANGE,
    workspaceId: before.workspaceId,
    actor,
    at,
    posts,
    removals: [{ kind: 'end', jobId, postId: before.databaseId, failure: null }],
  };
}

/** The post could not be removed: it stays as it is, and its history contains the reason (D62). */
export function toKeptChange(
  { jobId, subject: { post: before, isDeleted }, at }: EndedRemoval,
  failure: JobFailure,
): Change {
  const after = { ...before, version: before.version + 1, updatedAt: at };
  const note = `The post was not removed from ${before.network}: ${failure.message}`;
  return {
    ...EMPTY_CHANGE,
    workspaceId: before.workspaceId,
    actor: SERVICE,
    at,
    posts: isDeleted ? [] : [{ kind: 'update', before, after, changed: [], slots: null, note }],
    removals: [{ kind: 'end', jobId, postId: before.databaseId, failure }],
  };
}
