/** Progress and cancellation of a backup or restore. */
export interface BackupProgress {
  /** Called with the completed share, from 0 to 1. */
  onProgress(done: number): void;
  /** Cancels the work, which leaves nothing behind. */
  readonly signal: AbortSignal;
}

/** What a backup contains. */
export interface BackupReport {
  readonly file: string;
  /** Size of the file. */
  readonly bytes: number;
  readonly rows: number;
  /** Rows per table. */
  readonly tables: Readonly<Record<string, number>>;
}

/** What a restore read. */
export interface RestoreReport extends Omit<BackupReport, 'bytes'> {
  /** When the backup was created, ISO 8601. */
  readonly createdAt: string;
}
