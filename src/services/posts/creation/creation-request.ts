import type {
  BatchPolicy,
  DraftVisibility,
  DuplicateReaction,
  ShareMode,
} from '../../../domain/creation/creation-modes.js';
import type { Refusal } from '../../../domain/errors.js';
import type { Job, JobResult } from '../../../domain/jobs/job.js';
import type { Network } from '../../../domain/networks/networks.js';
import type { PostPatch } from '../../../domain/posts/post-fields.js';
import type { Post } from '../../../domain/posts/post.js';
import type { PostState } from '../../../domain/posts/states.js';
import type { ChangeOutcome } from '../../changes/run-change.js';

/** An account to create a post for, with what differs for it. */
export interface CreationTarget {
  readonly accountId: string;
  readonly scheduledAt: Date | null;
  readonly post: PostPatch;
}

/** Posts with a common content; they get one group ID. */
export interface CreationItem {
  /** Empty for one idea without an account, in mode `draft` only. */
  readonly targets: readonly CreationTarget[];
  /** Content of all posts. A target whose post gets no `type` from it and the others is refused. */
  readonly post: PostPatch;
  /** What differs for all targets of a network. */
  readonly variants: ReadonlyMap<Network, PostPatch>;
  readonly mode: ShareMode;
  readonly visibility: DraftVisibility;
  /** The time of targets without a time of their own. */
  readonly scheduledAt: Date | null;
  /** The period in which mode `add_to_queue` looks for free times; absent for the next year. */
  readonly queuePeriod?: { readonly from: Date | null; readonly until: Date | null };
}

/** A creation, saved in one transaction. */
export interface CreateRequest {
  /** 1 to 1,000 targets in all. */
  readonly items: readonly CreationItem[];
  /** What happens to a post with the content of another one (D49). */
  readonly duplicates: DuplicateReaction;
  /** What happens to variants of networks that no target of the item has. */
  readonly unusedVariants: 'refuse' | 'warn';
  /** Which creations have a job (D51): all, or those with posts that are shared now. */
  readonly job: 'always' | 'when_shared';
  readonly policy: BatchPolicy;
  readonly idempotencyKey?: string;
  /** Whether the key was derived from the call instead of sent (D93). */
  readonly isKeyDerived?: boolean;
  readonly dryRun: boolean;
}

/** What became of one target, or would become of it (dry run). */
export interface CreateResult {
  /** Index of the item in the request. */
  readonly item: number;
  /** Index of the target in the item. */
  readonly index: number;
  readonly accountId: string | null;
  /** Null if the target was refused, and in a dry run. */
  readonly post: Post | null;
  /** Null for an idea, and for an unknown account. */
  readonly network: Network | null;
  readonly state: PostState | null;
  readonly scheduledAt: Date | null;
  /** Times of the occurrences of a series; empty for other posts. */
  readonly occurrenceDates: readonly Date[];
  /** Empty if the post was created. Paths start at the item, such as `targets.1.post.text`. */
  readonly refusals: readonly Refusal[];
  /** What the client should know about a post that was created. */
  readonly warnings: readonly string[];
}

/** What a creation could not do, or did with reservations, as its job tells it (D50, D51). */
export type CreationReport = Pick<JobResult, 'list' | 'failures' | 'warnings'>;

/** A creation that was not refused as a whole. */
export interface CreatedPosts {
  readonly kind: 'done';
  /** One for each item of the request. */
  readonly groupIds: readonly string[];
  /** One for each target, in the order sent. */
  readonly results: readonly CreateResult[];
  readonly report: CreationReport;
  readonly job: Job | null;
}

/**
 * Outcome of a creation. Refused as a whole: FORBIDDEN, IDEMPOTENCY_MISMATCH, or too many posts.
 */
export type CreateOutcome = ChangeOutcome<CreatedPosts>;
