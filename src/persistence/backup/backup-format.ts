/**
 * A backup is gzip of text: a line of JSON that says what is in it, then the rows of each table as PostgreSQL's COPY
 * writes them, a line each, and a last line by which a whole file is told from one that was cut short.
 */
export interface BackupHeader {
  readonly format: typeof BACKUP_FORMAT;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The migrations that made the tables, in order. */
  readonly migrations: readonly string[];
  /** In an order in which none refers to a later one. */
  readonly tables: readonly BackupTable[];
  /** What each sequence had given last; null where none was asked for yet. */
  readonly sequences: readonly { readonly name: string; readonly last: string | null }[];
  /** demo.json beside the embedded database: without it, a start would take the demo's workspaces for a demo cut short. */
  readonly demo: unknown;
}
export interface BackupTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

export const BACKUP_FORMAT = 'posts-gateway backup 1';
export const LAST_LINE = 'end of backup';

/** How the texts of times and the like are written and read, whatever the server's settings. */
export const COPY_SETTINGS =
  "SET LOCAL DateStyle = 'ISO'; SET LOCAL TimeZone = 'UTC'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

export const rowsIn = ({ tables }: BackupHeader): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

/** Null where the line begins no backup. */
export function readHeader(line: string): BackupHeader | null {
  try {
    const header = JSON.parse(line) as Partial<BackupHeader> | null;
    const isWhole =
      header?.format === BACKUP_FORMAT &&
      [header.migrations, header.tables, header.sequences].every(Array.isArray);
    return isWhole ? (header as BackupHeader) : null;
  } catch {
    return null;
  }
}

/** The error told as the file's, where it is the file system that refuses: in a line that names it. */
export function fileError(error: unknown, file: string, what: 'read' | 'written'): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  return FILE_FAULT.test(code) ? new Error(`${file} cannot be ${what}: ${code}`) : (error as Error);
}
const FILE_FAULT = /^E(NOENT|ACCES|PERM|ISDIR|NOTDIR|NAMETOOLONG|NOSPC|DQUOT|FBIG|ROFS|IO)$/;
