/**
 * Header of a backup. A backup is gzipped text: one line of JSON (this header), the rows of each
 * table in PostgreSQL's COPY format, one per line, and a trailer line that distinguishes a complete
 * file from a truncated one.
 */
export interface BackupHeader {
  readonly format: typeof BACKUP_FORMAT;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Names of the applied migrations, in order. */
  readonly migrations: readonly string[];
  /** Ordered so that no table references a later one. */
  readonly tables: readonly BackupTable[];
  /** Last value of each sequence; null if it was never used. */
  readonly sequences: readonly { readonly name: string; readonly last: string | null }[];
  /**
   * Content of demo.json of an embedded database. Without it, a start would treat the demo's
   * workspaces as an incomplete demo.
   */
  readonly demo: unknown;
}
/** A table in a backup: its columns in file order and its number of rows. */
export interface BackupTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

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

/** Identifies the format and its version. */
export const BACKUP_FORMAT = 'posts-gateway backup 1';
/** Last line of a complete backup. */
export const TRAILER = 'end of backup';

/** Makes the COPY format independent of the server's settings. */
export const COPY_SETTINGS =
  "SET LOCAL DateStyle = 'ISO'; SET LOCAL TimeZone = 'UTC'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/** Number of rows of all tables. */
export const countRowsIn = ({ tables }: BackupHeader): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

/** Reads the first line of a file; null if it is not the header of a backup. */
export function readHeader(line: string): BackupHeader | null {
  try {
    const header = JSON.parse(line) as Partial<BackupHeader> | null;
    const isComplete =
      header?.format === BACKUP_FORMAT &&
      [header.migrations, header.tables, header.sequences].every(Array.isArray);
    return isComplete ? (header as BackupHeader) : null;
  } catch {
    return null;
  }
}

/**
 * Converts file system errors to an Error of one line that names the file; returns any other error
 * unchanged.
 */
export function toFileError(error: unknown, file: string, operation: 'read' | 'write'): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  return FILE_ERROR_CODE.test(code)
    ? new Error(`Could not ${operation} ${file}: ${code}`)
    : (error as Error);
}
const FILE_ERROR_CODE = /^E(NOENT|ACCES|PERM|ISDIR|NOTDIR|NAMETOOLONG|NOSPC|DQUOT|FBIG|ROFS|IO)$/;
