import type {
  DeliveryGuarantee,
  PublicationPace,
} from '../../domain/networks/network-definition.js';
import type { PublicationError } from '../../domain/publishing/publication-record.js';
import type { Plan } from '../../domain/enums.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Post } from '../../domain/posts/post.js';
import type { JobRun } from '../../persistence/jobs/job-queue.js';
import type { PublicationHandle } from '../networks/network-ports.js';

/** An attempt that has not ended. */
export interface OpenAttempt {
  /** 1 for the first attempt at the post. */
  readonly number: number;
  /** Null until the attempt is armed: then the post may have been sent. */
  readonly armed: ArmedAttempt | null;
}

/** An attempt whose post may have been sent. */
export interface ArmedAttempt {
  /** When the call was made, at the earliest. */
  readonly at: Date;
  readonly guarantee: DeliveryGuarantee;
  readonly handle: PublicationHandle;
  /** Times that the network was asked without a clear answer. */
  readonly looks: number;
  /** When the network first said that the post is not there; null if it has not. */
  readonly notThereAt: Date | null;
  /** The failure of the call that publishes; null if it did not end, or has not been recorded. */
  readonly error: PublicationError | null;
}

/** A post that was handed over for publication. */
export interface PublicationJobSubject {
  readonly post: Post;
  /** The job that the post was last handed over with. */
  readonly jobId: string;
  /** The first time at which the post was handed over for its scheduled time (D56). */
  readonly handedOverAt: Date;
  readonly lateMinutes: number;
  readonly plan: Plan;
  /**
   * How many posts of the account use its daily cap in the 24 hours up to the time of the post, the
   * post included: not fewer than are published. Null if the post uses no cap at its time.
   */
  readonly capUse: { readonly postKind: string; readonly slots: number } | null;
  /** IANA zone of the workspace. */
  readonly timeZone: string;
  /** Attempts for earlier times of the post. */
  readonly earlierAttempts: number;
  readonly openAttempt: OpenAttempt | null;
  /** Why a media file of the post is not available; null if all files can be read. */
  readonly missingMedia: string | null;
  /** Whether publication is paused (D56). */
  readonly isPaused: boolean;
  /**
   * Set if the post became due before the database was restored from a backup, and has not been
   * looked for since: it may have been published from this time on (D56).
   */
  readonly mayBeLiveSince: Date | null;
  /** The time of the database, which the other times were read from. */
  readonly now: Date;
}

/** Result of starting an attempt. */
export type AttemptStart =
  | { readonly kind: 'started'; readonly number: number }
  /** The account has as many posts in progress as its pace allows. */
  | { readonly kind: 'postponed'; readonly inMs: number };

/** The ledger of attempts to publish posts (D53). Methods with a run need its lease. */
export interface PublicationLedger {
  /** Null if the post is deleted, or was never handed over. */
  findSubject(postId: number): Promise<PublicationJobSubject | null>;
  /**
   * Times of the account's publications under one daily cap that precede this post: published, or
   * handed over for an earlier time.
   */
  earlierPublications(post: Post, postKind: string): Promise<Date[]>;
  /**
   * The latest publication of a recycling post; null if there is none, or if its network no longer
   * has it.
   */
  previousPublication(post: Post): Promise<Post | null>;
  /** Opens an attempt, or goes on with one that was never armed. */
  start(run: JobRun, post: Post, pace: PublicationPace): Promise<AttemptStart>;
  /**
   * Arms the attempt: from now on the post may have been sent. Returns the time, or null if the run
   * lost its lease, or the post was changed, deleted or taken back since it was read.
   * `mayBeLiveSince`: nothing is sent in this attempt, which looks for the post only.
   */
  arm(
    run: JobRun,
    post: Post,
    attempt: {
      readonly number: number;
      readonly guarantee: DeliveryGuarantee;
      readonly handle: PublicationHandle;
      readonly mayBeLiveSince?: Date | null;
    },
  ): Promise<Date | null>;
  /** Records what is known about an armed attempt. False if the run lost its lease. */
  recordLook(run: JobRun, postId: number, look: RecordedLook): Promise<boolean>;
  /**
   * Takes the post back from publication without a result: it becomes due again, not before
   * `inMs` milliseconds from now. Ends the open attempt. Raises no version (D57).
   */
  release(run: JobRun, post: Post, release: Release): Promise<boolean>;
}

/** What changed about an armed attempt after a call. Absent properties are unchanged. */
export interface RecordedLook {
  readonly looks?: number;
  readonly notThereAt?: Date | null;
  readonly isProcessing?: boolean;
  readonly error?: PublicationError;
}

/** Why and until when a post is taken back from publication. */
export interface Release {
  /** Null if no attempt is open. */
  readonly attempt: number | null;
  readonly error: PublicationError | null;
  /** Null if the post may be handed over immediately. */
  readonly inMs: number | null;
}

/** Metrics of publications. */
export interface PublishingMetrics {
  /** `lateSeconds`: from the time of the post until the call that published it. */
  published(lateSeconds: number): void;
  ended(network: Network, outcome: PublicationOutcome): void;
}
/** What an attempt ends with, for metrics. */
export type PublicationOutcome = 'published' | 'retried' | 'failed' | 'unconfirmed' | 'missed';
