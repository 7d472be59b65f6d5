import { EMPTY_CHANGE, type Change } from '../../domain/changes/change.js';
import { SERVICE } from '../../domain/access/viewer.js';
import type { Post } from '../../domain/posts/post.js';
import { isPausedAfterApproval, storedStateAfter } from '../../domain/posts/transitions.js';
import type { MediaFileStore } from '../../persistence/media/media-file-store.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import type { WorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';
import { saveChange } from '../changes/run-change.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { AcceptedFile } from './accept-file.js';

/** What completes media items with their files, and changes the posts that have them. */
export interface FileCompletion {
  readonly files: MediaFileStore;
  readonly posts: Pick<PostStore, 'approvedWith' | 'save'>;
  readonly workspaceRecords: Pick<WorkspaceRecordStore, 'approvers'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

/**
 * Records the file of a media item. Approved posts with the item wait for approval first: no
 * member has seen the file (D64). False if the item no longer waits for a file.
 */
export async function completeFile(
  completion: FileCompletion,
  mediaId: string,
  file: AcceptedFile,
): Promise<boolean> {
  await withdrawApprovals(completion, mediaId);
  return completion.files.complete(mediaId, file, completion.clock.now());
}

/** Posts changed in one transaction. */
const BATCH = 100;

async function withdrawApprovals(completion: FileCompletion, mediaId: string): Promise<void> {
  const { posts: store } = completion;
  let count: number;
  do
    count = await saveChange(store.save, async () => {
      const [first, ...rest] = await store.approvedWith(mediaId, BATCH);
      if (!first) return { outcome: 0 };
      return {
        outcome: rest.length + 1,
        change: await toWithdrawal(completion, [first, ...rest]),
      };
    });
  while (count === BATCH);
}

async function toWithdrawal(
  { workspaceRecords, ids, clock }: FileCompletion,
  posts: readonly [Post, ...Post[]],
): Promise<Change> {
  const [{ workspaceId, databaseId: postId }] = posts;
  const at = clock.now();
  const approvers = await workspaceRecords.approvers(workspaceId);
  const ofPosts = posts.length === 1 ? 'an approved post' : `${posts.length} approved posts`;
  return {
    ...EMPTY_CHANGE,
    workspaceId,
    actor: SERVICE,
    at,
    posts: posts.map((before) => ({
      kind: 'update',
      before,
      after: { ...before, ...pendingValues(before), version: before.version + 1, updatedAt: at },
      changed:
        before.storedState === 'recurring'
          ? ['occurrenceState']
          : ['storedState', 'pausedAfterApproval'],
      slots: null,
      event: 'post.approval_requested',
    })),
    notifications: approvers.map((userId) => ({
      id: ids.prefixed('ntf'),
      userId,
      kind: 'approval_needed',
      message: `A file of ${ofPosts} has arrived, which needs your approval, too.`,
      postId,
    })),
  };
}

/** A series keeps its state, and its later occurrences need approval. */
function pendingValues(post: Post): Partial<Post> {
  if (post.storedState === 'recurring') return { occurrenceState: 'scheduled_pending' };
  const storedState = storedStateAfter(post.storedState, 'approval_requested');
  return { storedState, pausedAfterApproval: isPausedAfterApproval(post, storedState) };
}
