import type { PostingSchedule } from '../../domain/publishing/posting-schedule.js';

/** The posting schedule of an account, and the times of its planned posts. */
export interface AccountQueue {
  readonly schedule: PostingSchedule;
  /** Times of planned posts from the start of the period to its end, in any order. */
  readonly plannedAt: readonly Date[];
}

/** Posting schedules of accounts. */
export interface PostingScheduleStore {
  /**
   * Posting schedules by account ID. An account that was never given one has no slots and the time
   * zone of its workspace.
   */
  schedules(accountIds: readonly string[]): Promise<ReadonlyMap<string, PostingSchedule>>;
  /** Posting schedules with the planned posts of a period, by account ID. */
  queues(
    accountIds: readonly string[],
    period: { readonly from: Date; readonly until: Date },
  ): Promise<ReadonlyMap<string, AccountQueue>>;
  /** Document IDs of posts that were given a slot, and whose time has passed while paused. */
  overdue(accountId: string, now: Date): Promise<string[]>;
  /** Replaces the posting schedule of an account. */
  save(accountId: string, schedule: PostingSchedule): Promise<void>;
}
