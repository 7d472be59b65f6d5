import type { AdminStore } from '../../persistence/admin/admin-store.js';
import { CliError } from '../arguments.js';
import type { Cli, CliContext } from '../cli-context.js';
import { formatTable, type Cell } from '../terminal.js';

/**
 * Finds a user by ID or email address.
 * @throws CliError if there is none
 */
export async function requireUser(
  admin: AdminStore,
  idOrEmail: string,
): Promise<{ id: string; name: string }> {
  const user = await admin.findUser(idOrEmail);
  if (!user)
    throw new CliError(
      `User ${JSON.stringify(idOrEmail)} does not exist: pass an ID (usr_…) or an email address`,
    );
  return user;
}

/** @throws CliError if there is no workspace with this ID */
export async function assertWorkspaceExists(admin: AdminStore, id: string): Promise<void> {
  if (!(await admin.hasWorkspace(id)))
    throw new CliError(`Workspace ${JSON.stringify(id)} does not exist`);
}

/** How records are listed: the text if there are none, and the cell of each column by its header. */
export interface RecordTable<T> {
  readonly none: string;
  readonly columns: Readonly<Record<string, (record: T) => Cell>>;
}

/** Formats records as a table. */
export const formatRecords = <T>(
  records: readonly T[],
  { none, columns }: RecordTable<T>,
): string =>
  records.length === 0
    ? none
    : formatTable(
        Object.keys(columns),
        records.map((record) => Object.values(columns).map((cell) => cell(record))),
      );

/** Runs a command that reads and prints records, and changes nothing. */
export const listRecords = <T>(
  { withContext, printResult }: Cli,
  read: (context: CliContext) => Promise<readonly T[]>,
  table: RecordTable<T>,
): Promise<void> =>
  withContext(
    async (context) => {
      const records = await read(context);
      printResult(records, formatRecords(records, table));
    },
    { readsOnly: true },
  );

interface Confirmation {
  readonly confirm: string | undefined;
  readonly contents: object & { readonly id: string };
  readonly summary: string;
}

/**
 * Returns true if `--confirm` repeats the ID. Without `--confirm`, prints what would be deleted and
 * returns false.
 */
export function isConfirmed(
  { printResult, markFailed }: Cli,
  { confirm, contents, summary }: Confirmation,
): boolean {
  const { id } = contents;
  if (confirm === id) return true;
  if (confirm !== undefined)
    throw new CliError(
      `--confirm is ${JSON.stringify(confirm)}, but the ID is ${id}: nothing was deleted`,
    );
  printResult(
    { deleted: false, ...contents },
    `${summary}\nNothing was deleted. To delete it permanently, add --confirm ${id}`,
  );
  markFailed();
  return false;
}

/** Reports the progress of a deletion. */
export const reportDeletedPosts =
  ({ reportProgress }: Cli) =>
  (done: number): void =>
    reportProgress(done, 'posts deleted');
