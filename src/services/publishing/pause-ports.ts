/** Whether posts are published, and what waits (D56). */
export interface PublishingStatus {
  /** When publication was paused; null while posts are published. */
  readonly pausedAt: Date | null;
  /**
   * The time of the backup that was restored: what became due since then is looked up on its
   * network first. Null if publication is not paused because of a backup.
   */
  readonly backupAt: Date | null;
  /** Posts whose time has come and that have not been handed over, at most 10,000. */
  readonly duePosts: number;
  /** When the first of them became due; null if there is none. */
  readonly oldestDueAt: Date | null;
}

/** Pauses and resumes the publication of posts, in all processes. */
export interface PublishingControl {
  status(): Promise<PublishingStatus>;
  /**
   * Pauses publication until `resume`. `backupAt`: the database was restored to this time, so that
   * posts which have become due since may already be on their networks.
   */
  pause(backupAt: Date | null): Promise<void>;
  /** Returns false if publication was not paused. */
  resume(): Promise<boolean>;
}

/** What a worker does at intervals about pauses. */
export interface PauseWatch {
  /**
   * Pauses publication if the database has become another one, which is how a restored dump is
   * noticed. Returns since when publication is paused; null if it is not.
   */
  check(): Promise<Pick<PublishingStatus, 'pausedAt' | 'backupAt'>>;
}
