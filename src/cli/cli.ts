import type { Command } from 'commander';
import type { BackupReport, Watching } from '../persistence/backup/write-backup.js';
import type { RestoreReport } from '../persistence/backup/restore-backup.js';
import type { MigrationState } from '../persistence/migration-states.js';
import type { Demo } from '../demo/demo.js';
import type { AdminStore } from '../persistence/admin/admin-store.js';
import type { CredentialRecords } from '../persistence/credentials/credential-store.js';
import type { Removals } from '../persistence/admin/deletion-store.js';
import type { AccountRecords } from '../services/accounts/account-records.js';
import type { ConnectParts } from '../services/accounts/connect-account.js';
import type { ImportParts } from '../services/imports/import-posts.js';
import type { Finding } from '../services/diagnostics.js';
import type { OperatorJobs } from '../services/jobs/operator-jobs.js';
import type { Clock, Ids } from '../services/ports.js';
import type { RecordLists } from '../services/record-lists.js';
import type { TerminalInput } from './terminal-input.js';

/** What the commands work on: the database that the settings name, migrated, and what reads and writes it. */
export interface Session {
  readonly admin: AdminStore;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Null where DATABASE_URL names the database: the demo exists on the embedded one only. */
  readonly demo: Demo | null;
  readonly lists: RecordLists;
  readonly imports: ImportParts;
  readonly accounts: AccountRecords;
  readonly credentials: CredentialRecords;
  readonly operatorJobs: OperatorJobs;
  readonly removals: Removals;
  /** What it takes to connect an account. */
  readonly connecting: () => ConnectMeans;
  /** Where demo.json lies. */
  readonly dataDir: string;
}

/** What it takes to connect an account. */
export interface ConnectMeans extends Pick<ConnectParts, 'networks' | 'standings'> {
  /** The environment's CONNECT_ variables. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What the commands work on that are about the database itself, as it is. */
export interface Workbench {
  /** Beside an embedded database: where the key lies that credentials are sealed with. */
  readonly keyFile: string | null;
  readonly migrations: {
    states(): Promise<MigrationState[]>;
    /** Gives the names of those it applied. */
    apply(): Promise<string[]>;
    /** Takes a failed one as undone; gives whether there was one of this name. */
    markRolledBack(name: string): Promise<boolean>;
  };
  backUp(file: string, watching: Watching): Promise<BackupReport>;
  restore(
    file: string,
    mayReplace: boolean,
    watching: Watching,
  ): Promise<Omit<RestoreReport, 'userIds' | 'demo'>>;
}

/** What commands reach the service through. */
export interface Means {
  /** Opens the database, which a running gateway may share, for as long as the work takes; its tables are brought up to date first. */
  open<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Opens it as it is. `mayMake`: an embedded one that is not there yet is made, empty. */
  openAsIs<T>(
    work: (workbench: Workbench) => Promise<T>,
    how?: { readonly mayMake: boolean },
  ): Promise<T>;
  /** Looks how everything stands; never throws. */
  checkUp(): Promise<Finding[]>;
  /** Becomes a gateway, or a worker, in this process. */
  start(what: 'gateway' | 'worker'): Promise<void>;
  readonly version: string;
}

/** What each command is given. */
export interface Cli extends Means {
  /** Tells the result: as one line of JSON with `--json`, else as the text. */
  say(result: unknown, text: string): void;
  /**
   * Tells how far a long command is (from 0 to 1) and what it has done, on the error stream; nothing with `--json`. On a
   * terminal a bar that moves, elsewhere a line every few seconds.
   */
  progress(done: number, text: string): void;
  /** Where secrets come from: never from the command line. */
  readonly input: TerminalInput;
  /** Lets the command end with exit code 1, though it has a result. */
  fail(): void;
}

/** The group of that name, made with the first command that is put in it. */
export const groupOf = (program: Command, name: keyof typeof GROUPS): Command =>
  program.commands.find((one) => one.name() === name) ??
  program.command(name).description(GROUPS[name]);
const GROUPS = {
  users: 'people',
  workspaces: 'workspaces',
  members: 'who is in a workspace',
  accounts: 'social accounts',
} as const;

/** Something that the operator can mend: its message is all there is to say. */
export class CliError extends Error {}
/** What was typed cannot be meant, whatever the database has. */
export class MisuseError extends CliError {}

/** The user that an option names, by id or address. */
export async function userNamed(
  admin: AdminStore,
  idOrEmail: string,
): Promise<{ id: string; name: string }> {
  const user = await admin.findUser(idOrEmail);
  if (!user)
    throw new CliError(
      `There is no user ${JSON.stringify(idOrEmail)}: give an id (usr_…) or an e-mail address`,
    );
  return user;
}

export async function assertWorkspace(admin: AdminStore, id: string): Promise<void> {
  if (!(await admin.hasWorkspace(id)))
    throw new CliError(`There is no workspace ${JSON.stringify(id)}`);
}
