import type { OccurrenceChanges } from '../../../domain/calendar/occurrence-dates.js';
import type { ReviewDecision } from '../../../domain/actions/post-actions.js';
import type {
  BatchPolicy,
  DraftVisibility,
  ShareMode,
} from '../../../domain/creation/creation-modes.js';
import type { Problem, Refusal } from '../../../domain/errors.js';
import type { Job } from '../../../domain/jobs/job.js';
import type { Post } from '../../../domain/posts/post.js';
import type { ChangeOutcome } from '../../changes/run-change.js';

/** What is to be done with posts, with the input of the action. */
export type ActionInput =
  | ScheduleInput
  | ReviewInput
  | {
      readonly kind: 'retry';
      /** A person says that a post whose publication is unconfirmed is not on its network (D54). */
      readonly confirmNotLive: boolean;
      readonly allowDuplicate: boolean;
    }
  | { readonly kind: 'resolve'; readonly resolution: Resolution }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'restore'; readonly allowDuplicate: boolean }
  | { readonly kind: 'unpublish' };
export type ActionKind = ActionInput['kind'];

/** What becomes of posts, as when they are created (D48). */
export interface ScheduleInput {
  readonly kind: 'schedule';
  readonly mode: ShareMode;
  /** Null: drafts, and posts in mode `schedule`, keep their time. */
  readonly scheduledAt: Date | null;
  /** The account of drafts without one. */
  readonly accountId: string | null;
  /** Who sees a draft; null to keep it, and for posts that become drafts `account`. */
  readonly visibility: DraftVisibility | null;
  /** Whether posts may have the content of another one within 24 hours (D49). */
  readonly allowDuplicate: boolean;
}

/** A decision about posts that need approval (D64). */
export interface ReviewInput {
  readonly kind: 'review';
  readonly decision: ReviewDecision;
  /** The reason, which is kept in the history of the posts. Required to decline. */
  readonly note: string | null;
  /** Whether posts whose time has passed are published when they are approved. */
  readonly publishLate: boolean;
}

/** What a person found on the network of a post (D54, D58). */
export type Resolution =
  | { readonly kind: 'live'; readonly url: string; readonly remoteId: string | null }
  | { readonly kind: 'not_live' };

/** Problems of the input of a scheduling (D48). */
export const findScheduleProblems = ({
  mode,
  scheduledAt,
  visibility,
}: Pick<ScheduleInput, 'mode' | 'scheduledAt' | 'visibility'>): Problem[] => [
  ...(visibility !== null && mode !== 'draft'
    ? [{ path: ['visibility'], message: 'can be sent only in mode DRAFT.' }]
    : []),
  ...(scheduledAt !== null && mode === 'share_now'
    ? [{ path: ['scheduledAt'], message: 'cannot be sent in mode SHARE_NOW.' }]
    : []),
];

/** What a person found, as sent: `url`, with `remoteId` or without it, or `notLive`. */
export interface SentResolution {
  readonly url: string | null;
  readonly remoteId: string | null;
  readonly notLive: boolean;
}

/** Maximum lengths of texts of a resolution, in UTF-16 code units. */
const RESOLUTION_LENGTHS = { url: 2_048, remoteId: 512 } as const;

/** Problems of what a person found (D54). */
export function findResolutionProblems({ url, remoteId, notLive }: SentResolution): Problem[] {
  const problems: Problem[] = [];
  if ((url === null) === !notLive)
    problems.push({ path: ['url'], message: 'send either url or notLive: true, and not both.' });
  if (remoteId !== null && url === null)
    problems.push({ path: ['remoteId'], message: 'can be sent only together with url.' });
  for (const [name, value] of Object.entries({ url, remoteId })) {
    const maximum = RESOLUTION_LENGTHS[name as keyof typeof RESOLUTION_LENGTHS];
    if (value !== null && (value.length > maximum || value.includes('\0')))
      problems.push({
        path: [name],
        message: `may have at most ${maximum} characters, and no NUL.`,
      });
  }
  return problems;
}

export const toResolution = ({ url, remoteId }: SentResolution): Resolution =>
  url === null ? { kind: 'not_live' } : { kind: 'live', url, remoteId };

/** An action on one or more posts, saved in one transaction. */
export interface ActionRequest {
  /** 1 to 100 IDs, as sent. */
  readonly ids: readonly string[];
  /** The versions that the member saw, one for each ID; null if none was sent. */
  readonly expectedVersions?: readonly (number | null)[];
  readonly action: ActionInput;
  readonly policy: BatchPolicy;
  readonly idempotencyKey?: string;
  readonly dryRun: boolean;
}

/** What became of one post, or would become of it (dry run). */
export interface PostResult {
  /** As the client sent it; either kind of ID (D3). */
  readonly id: string;
  /**
   * The post after the action, also if it already was so. Null if it was refused. If a job does the
   * rest, the post as it is before that.
   */
  readonly post: Post | null;
  /** What the action does to the occurrences of a series, or would do; null for other posts. */
  readonly series: OccurrenceChanges | null;
  /** Empty if the action was done, or already was so. */
  readonly refusals: readonly Refusal[];
}

/** What became of the posts of an action that was not refused as a whole. */
export interface ActedPosts {
  readonly kind: 'done';
  /** One entry for each distinct post, in the order sent. */
  readonly results: readonly PostResult[];
  /**
   * Ends when the posts are published (D51), or removed from their networks (D62); null if neither
   * is done, and in a dry run.
   */
  readonly job: Job | null;
}

/** Outcome of an action. Refused as a whole: IDEMPOTENCY_MISMATCH, or too many occurrences. */
export type ActionOutcome = ChangeOutcome<ActedPosts>;
