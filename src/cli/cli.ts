import type {
  BackupReport,
  BackupProgress,
  RestoreReport,
} from '../services/maintenance/backup-ports.js';
import type { MigrationState } from '../services/maintenance/migration-ports.js';
import type { Demo } from '../demo/demo.js';
import type { AdminStore, CredentialAdmin } from '../services/admin/admin-ports.js';
import type { DeletionStore } from '../services/admin/deletion-ports.js';
import type { AccountAdmin } from '../services/accounts/account-ports.js';
import type { ConnectAccountDependencies } from '../services/accounts/connect-account.js';
import type { ImportDependencies } from '../services/imports/import-posts.js';
import type { Finding } from '../services/diagnostics/diagnostic-facts.js';
import type { JobAdmin } from '../services/jobs/job-ports.js';
import type { Clock, Ids } from '../services/clock-and-ids.js';
import type { AdminLists } from '../services/directory/directory-ports.js';
import type { TerminalInput } from './terminal-input.js';

/** What most commands work on: the migrated database of the settings, and the stores and services over it. */
export interface CliContext {
  readonly admin: AdminStore;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Null if DATABASE_URL is set: the demo exists in the embedded database only. */
  readonly demo: Demo | null;
  readonly lists: AdminLists;
  readonly imports: ImportDependencies;
  readonly accounts: AccountAdmin;
  readonly credentials: CredentialAdmin;
  readonly jobs: JobAdmin;
  readonly deletions: DeletionStore;
  /** Creates what `accounts connect` needs. */
  readonly connectContext: () => ConnectContext;
  /** Directory of demo.json. */
  readonly dataDir: string;
}

/** What `accounts connect` needs: network adapters, account statuses and settings. */
export interface ConnectContext extends Pick<
  ConnectAccountDependencies,
  'networks' | 'accountStatus'
> {
  /** The CONNECT_ variables of the environment, by full name. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What backup, restore and migrate work on: the database without automatic migration. */
export interface MaintenanceContext {
  /** Path of the key that seals credentials. Null if the database is not embedded. */
  readonly keyFile: string | null;
  readonly migrations: {
    states(): Promise<MigrationState[]>;
    /** Returns the names of the applied migrations. */
    apply(): Promise<string[]>;
    /** Marks a failed migration as rolled back. Returns false if no failed migration has this name. */
    markRolledBack(name: string): Promise<boolean>;
  };
  backUp(file: string, watching: BackupProgress): Promise<BackupReport>;
  restore(file: string, mayReplace: boolean, watching: BackupProgress): Promise<RestoreReport>;
}

/** How commands reach the database and the other entry points. */
export interface CliDependencies {
  /** Opens the database, applies pending migrations, runs `work`, and closes it. A gateway may be running. */
  withContext<T>(work: (context: CliContext) => Promise<T>): Promise<T>;
  /** Same without migrating. `mayCreate`: creates a missing embedded database, empty. */
  withMaintenanceContext<T>(
    work: (context: MaintenanceContext) => Promise<T>,
    options?: { readonly mayCreate: boolean },
  ): Promise<T>;
  /** Checks settings, database, Redis and clocks. Never throws. */
  runDiagnostics(): Promise<Finding[]>;
  /** Starts a gateway or a worker in this process. */
  start(entryPoint: 'gateway' | 'worker'): Promise<void>;
  readonly version: string;
}

/** What each command receives. */
export interface Cli extends CliDependencies {
  /** Prints `result` as one line of JSON with `--json`, else prints `text`. */
  printResult(result: unknown, text: string): void;
  /**
   * Reports the progress of a long command (`done`: 0 to 1) on standard error: a moving bar on a terminal, elsewhere a
   * line every few seconds. Prints nothing with `--json`.
   */
  reportProgress(done: number, text: string): void;
  /** Source of secrets, which are never read from the command line. */
  readonly input: TerminalInput;
  /** Sets exit code 1 for a command that also prints a result. */
  markFailed(): void;
}
