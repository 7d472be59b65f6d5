import type { Demo } from '../demo/demo.js';
import type { AdminStore } from '../persistence/admin-store.js';
import type { CredentialRecords } from '../persistence/credential-store.js';
import type { AccountRecords } from '../services/account-records.js';
import type { ConnectParts } from '../services/connect-account.js';
import type { ImportParts } from '../services/import-posts.js';
import type { OperatorJobs } from '../services/operator-jobs.js';
import type { Clock, Ids } from '../services/ports.js';
import type { TerminalInput } from './terminal-input.js';

/** What the commands work on: the database that the settings name, migrated, and what reads and writes it. */
export interface Session {
  readonly admin: AdminStore;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Null where DATABASE_URL names the database: the demo exists on the embedded one only. */
  readonly demo: Demo | null;
  readonly imports: ImportParts;
  readonly accounts: AccountRecords;
  readonly credentials: CredentialRecords;
  readonly operatorJobs: OperatorJobs;
  /** Loads what it takes to connect an account. */
  readonly connecting: () => Promise<ConnectMeans>;
  /** Where demo.json lies. */
  readonly dataDir: string;
}

/** What it takes to connect an account. */
export interface ConnectMeans extends Pick<ConnectParts, 'networks' | 'standings'> {
  /** The environment's CONNECT_ variables. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What each command is given. */
export interface Cli {
  /** Opens the database, which a running gateway may share, for as long as the work takes. */
  open<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Tells the result: as one line of JSON with `--json`, else as the text. */
  say(result: unknown, text: string): void;
  /**
   * Tells how far a long command is, on the error stream; nothing with `--json`. On a terminal each text takes the place
   * of the one before, elsewhere there is a line every few seconds.
   */
  progress(text: string): void;
  /** Where secrets come from: never from the command line. */
  readonly input: TerminalInput;
  /** Lets the command end with exit code 1, though it has a result. */
  fail(): void;
}

/** Something that the operator can mend: its message is all there is to say. */
export class CliError extends Error {}

/** The user that an option names, by id or address. */
export async function userNamed(admin: AdminStore, idOrEmail: string): Promise<{ id: string; name: string }> {
  const user = await admin.findUser(idOrEmail);
  if (!user) throw new CliError(`There is no user ${JSON.stringify(idOrEmail)}: give an id (usr_…) or an e-mail address`);
  return user;
}

export async function assertWorkspace(admin: AdminStore, id: string): Promise<void> {
  if (!(await admin.hasWorkspace(id))) throw new CliError(`There is no workspace ${JSON.stringify(id)}`);
}
