import type { Actor } from '../../domain/events/actor.js';
import type { JobFailure } from '../../domain/jobs/job.js';
import type { Post } from '../../domain/posts/post.js';
import type { PublicationPace } from '../../domain/networks/network-definition.js';
import type { JobRun } from '../jobs/job-ports.js';

/** A post that a job removes from its network, and that is not done yet. */
export interface RemovalSubject {
  /** As it is now, also if it was deleted in the service. */
  readonly post: Post;
  readonly isDeleted: boolean;
  /** The ID of the post as the client sent it. */
  readonly sentId: string;
  /** Whether the post is deleted in the service once its network does not have it. */
  readonly deletesPost: boolean;
  /** Calls to the network so far. */
  readonly attempts: number;
  /** Who asked for the removal. */
  readonly actor: Actor;
}

/** How far a job is. */
export interface RemovalProgress {
  /** Milliseconds until the next call is due; null if every removal has ended. */
  readonly nextInMs: number | null;
  /** Posts that are no longer on their networks. */
  readonly removed: number;
  /** The posts that were rejected, and those that could not be removed. */
  readonly failures: readonly JobFailure[];
}

/** A post whose removal is due. */
export interface DueRemoval {
  readonly postId: number;
  readonly accountId: string | null;
}

/** Whether a call may be made now. `stopped`: the run lost its lease, or the removal has ended. */
export type RemovalStart =
  | { readonly kind: 'started' }
  | { readonly kind: 'postponed'; readonly inMs: number }
  | { readonly kind: 'stopped' };

/** The removals of jobs. The change of a post ends its removal (`Change.removals`). */
export interface RemovalStore {
  /** The removals of a job that are due, oldest first. */
  due(jobId: string): Promise<readonly DueRemoval[]>;
  /** The posts of a job whose removals have not ended. */
  open(jobId: string): Promise<readonly number[]>;
  /** Null if the removal has ended, or the post does not exist any more. */
  find(jobId: string, postId: number): Promise<RemovalSubject | null>;
  /**
   * Counts a call, right before it is made, if the pace of the account allows it. Publications that
   * were handed over come first. They do not wait for a removal in progress.
   */
  startCall(
    run: JobRun,
    post: Pick<Post, 'databaseId' | 'accountId'>,
    pace: PublicationPace,
  ): Promise<RemovalStart>;
  /** Delays a removal, or all of the job on an account. */
  postpone(
    jobId: string,
    removals: { readonly postId: number } | { readonly accountId: string },
    inMs: number,
  ): Promise<void>;
  progressOf(jobId: string): Promise<RemovalProgress>;
}
