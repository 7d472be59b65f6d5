import type { Actor } from '../access/viewer.js';
import type { PostEventType } from '../events/event.js';
import type { Job, JobFailure } from '../jobs/job.js';
import type { Post } from '../posts/post.js';
import type { PostWith } from '../posts/post-query.js';
import type { PublicationError, PublicationResult } from '../publishing/publication-record.js';
import type { Media, Label } from '../posts/post-content.js';

/**
 * One post that a change inserts, updates or deletes. `changed` lists the fields that differ.
 * `event`: the event of the change, if the states do not imply it; of an insert, besides
 * `post.created`.
 */
export type PostWrite =
  | {
      readonly kind: 'insert';
      readonly after: Post;
      readonly slots: readonly CapSlot[];
      readonly importKey?: string;
      readonly event?: PostEventType;
    }
  | {
      readonly kind: 'update';
      readonly before: Post;
      readonly after: Post;
      readonly changed: readonly (keyof Post)[];
      readonly slots: readonly CapSlot[] | null;
      readonly event?: PostEventType;
      /** Whether the post is deleted before the change, and exists after it. */
      readonly restores?: true;
      /** Whether the post is deleted, and stays so. */
      readonly isDeleted?: true;
      /** What the author wrote about the change, for the history of the post. */
      readonly note?: string;
    }
  | { readonly kind: 'delete'; readonly before: PostWith<'version' | 'queuedAt' | 'armedAt'> };

/** An insert or update: the post exists after the change. */
export type UpsertWrite = Exclude<PostWrite, { kind: 'delete' }>;

/** A new post of a change. */
export type InsertWrite = Extract<PostWrite, { kind: 'insert' }>;

/** A publication that counts toward a daily cap (D39). */
export interface CapSlot {
  readonly accountId: string;
  readonly postKind: string;
  readonly at: Date;
}

/** New slots of a change under one daily cap, which must not be exceeded. */
export interface CapReservation {
  readonly accountId: string;
  readonly postKind: string;
  readonly limit: number;
  readonly add: readonly Date[];
}

/** A slot of a change that does not fit under its daily cap. */
export interface ExceededCap {
  readonly accountId: string;
  readonly postKind: string;
  readonly limit: number;
  /** Index of the slot in its reservation. */
  readonly index: number;
  readonly at: Date;
  readonly nextFreeAt: Date;
}

/** How the publication of a post ends, or what a person decides about it (D54 to D57). */
export interface PublicationWrite {
  readonly postId: number;
  /** Number of the attempt that ends; null if none is open. */
  readonly attempt: number | null;
  /**
   * The attempt at a job that must still have its lease; null if the result is valid without it: a
   * post that is live is live.
   */
  readonly lease: { readonly jobId: string; readonly jobAttempt: number } | null;
  /** Null if the post is to be published again. */
  readonly result: PublicationResult | null;
  readonly error: PublicationError | null;
  readonly publishedAt: Date | null;
  /** Database ID of the post that was published for a recycling post; absent for other posts. */
  readonly copyTo?: number;
}

/** What is stored about the removal of a post from its network by a job (D62). */
export type RemovalWrite =
  | {
      readonly kind: 'start';
      readonly jobId: string;
      readonly postId: number;
      /** As the client sent it: failures of the job name it. */
      readonly sentId: string;
      /** Whether the post is deleted in the service once its network does not have it. */
      readonly deletesPost: boolean;
    }
  | {
      readonly kind: 'end';
      readonly jobId: string;
      readonly postId: number;
      /** Why the post was not removed; null if it was. */
      readonly failure: JobFailure | null;
    };

/** A time in the queue of an account that a post takes (D61). */
export interface QueueSlot {
  /** Database ID of the post. */
  readonly postId: number;
  readonly accountId: string;
  readonly at: Date;
}

interface NotificationDraft {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly message: string;
  readonly postId: number | null;
}

/**
 * A change as data, saved in one transaction. Each row is updated only at the version that was
 * read, so a change decided on an outdated row is a conflict and is decided again.
 */
export interface Change {
  readonly workspaceId: string;
  readonly actor: Actor;
  /** Time of the change. */
  readonly at: Date;
  readonly posts: readonly PostWrite[];
  readonly newLabels: readonly Label[];
  readonly newMedia: readonly (Media & { inLibrary: boolean })[];
  /** IDs of media that the patch adds to the library. */
  readonly addToLibrary: readonly string[];
  readonly jobs: readonly (Job & { postVersion: number | null })[];
  readonly notifications: readonly NotificationDraft[];
  readonly capReservations: readonly CapReservation[];
  /** Times at which their account must have no other planned post when the change is saved. */
  readonly queueSlots: readonly QueueSlot[];
  /** Database IDs of series that must have no queued child when the change is saved (D23). */
  readonly seriesWithoutQueuedChildren: readonly number[];
  /** Database IDs of posts that must be series when the change is saved: those of occurrences. */
  readonly requiredSeries: readonly number[];
  /** Database IDs of series that end: their remaining children become independent posts. */
  readonly endedSeries: readonly number[];
  /**
   * Database IDs of occurrences that the change deletes because their date is not one of the rule
   * any more: the date is no exception, and gets an occurrence if the rule has it again.
   */
  readonly releasedOccurrences: readonly number[];
  /** Results of publications, saved with their posts. */
  readonly publications: readonly PublicationWrite[];
  /** Removals from networks that start or end. */
  readonly removals: readonly RemovalWrite[];
  /** The account status that the change requires when it is saved. */
  readonly requiredAccountStatus?: AccountStatus;
  /**
   * Whether the workspace has to be locked when the change is saved; absent if it does not matter.
   */
  readonly requiredLock?: boolean;
}

/** Whether an account needs reauthorization. */
export interface AccountStatus {
  readonly accountId: string;
  readonly needsReauth: boolean;
}

/** Defaults for a change that writes posts only. */
export const EMPTY_CHANGE = {
  newLabels: [],
  newMedia: [],
  addToLibrary: [],
  jobs: [],
  notifications: [],
  capReservations: [],
  queueSlots: [],
  seriesWithoutQueuedChildren: [],
  requiredSeries: [],
  endedSeries: [],
  releasedOccurrences: [],
  publications: [],
  removals: [],
} as const satisfies Partial<Change>;

/** Outcome of saving a change. */
export type SaveOutcome =
  | { readonly kind: 'saved' }
  /** Another transaction changed one of the rows: decide again on the current rows. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'cap_exceeded'; readonly exceeded: readonly [ExceededCap, ...ExceededCap[]] };
