import type { Demo } from '../demo/demo.js';
import type { Finding } from '../domain/diagnostics/diagnostic-facts.js';
import type { AdminLists, AdminStore } from '../persistence/admin/admin-store.js';
import type { DeletionStore } from '../persistence/admin/deletion-store.js';
import type { BackupReport } from '../persistence/backup.js';
import type { AccountStore } from '../persistence/credentials/account-store.js';
import type { CredentialStore } from '../persistence/credentials/credential-store.js';
import type { JobAdmin } from '../persistence/jobs/job-store.js';
import type { AnalyticsReader } from '../persistence/numbers/analytics-reader.js';
import type { MigrationState } from '../persistence/migrations.js';
import type { AccountConnections } from '../services/accounts/account-connections.js';
import type { Clock } from '../services/clock.js';
import type { ConnectAccount } from '../services/networks/edit-target.js';
import type { EventTail } from '../services/events/tail-events.js';
import type { Ids } from '../services/ids.js';
import type { ImportDependencies } from '../services/imports/import-posts.js';
import type { CalendarFeeds } from '../services/posts/calendar-feeds.js';
import type { PublishingControl } from '../services/publishing/watch-pause.js';
import type { Webhooks } from '../services/webhooks/webhooks.js';
import type { WorkspaceLock } from '../services/workspaces/workspace-lock.js';
import type { TerminalInput } from './terminal.js';

/** Stores and services that most commands use, over the migrated database. */
export interface CliContext {
  readonly admin: AdminStore;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Null if DATABASE_URL is set: the demo exists in the embedded database only. */
  readonly demo: Demo | null;
  readonly lists: AdminLists;
  readonly imports: ImportDependencies;
  readonly accounts: AccountStore;
  readonly credentials: CredentialStore;
  readonly jobs: JobAdmin;
  readonly analytics: AnalyticsReader;
  readonly publishing: PublishingControl;
  /** Creates the tail of events. */
  readonly events: () => EventTail;
  readonly workspaceLock: WorkspaceLock;
  readonly deletions: DeletionStore;
  /** Creates the use cases of calendar feeds. */
  readonly calendarFeeds: () => CalendarFeeds;
  readonly webhooks: Webhooks;
  /** The workspace of a webhook; null if there is no such webhook. */
  readonly webhookWorkspace: (id: string) => Promise<string | null>;
  /** Creates the connections of accounts, with the adapters of networks. */
  readonly accountConnections: () => AccountConnections;
  /** The adapter and the credentials of an account that is connected. */
  readonly connectAccount: ConnectAccount;
  /** The CONNECT_ variables of the environment, by full name. */
  readonly connectSettings: Readonly<Record<string, string>>;
  /** Directory of demo.json. */
  readonly dataDir: string;
}

/** Operations of backup, restore and migrate, on the database without automatic migration. */
export interface MaintenanceContext {
  /** Path of the key that seals the credentials of the embedded database. */
  readonly keyFile: string;
  readonly migrations: {
    states(): Promise<MigrationState[]>;
    /** Returns the names of the applied migrations. */
    apply(): Promise<string[]>;
    /**
     * Marks a failed migration as rolled back. Returns false if no failed migration has this name.
     */
    markRolledBack(name: string): Promise<boolean>;
  };
  /** Backs up the embedded database. */
  backUp(file: string, signal: AbortSignal): Promise<BackupReport & { readonly bytes: number }>;
  restore(file: string, mayReplace: boolean, signal: AbortSignal): Promise<BackupReport>;
}

/** What a command does with the database. */
export interface ContextOptions {
  /** Whether it changes nothing; otherwise the name of the database is printed first. */
  readonly readsOnly?: boolean;
}
/** What a maintenance command does with the database. */
export interface MaintenanceOptions extends ContextOptions {
  readonly mayCreate?: boolean;
  readonly embeddedOnly?: boolean;
}

/** Dependencies of the commands: the database and the other entry points. */
export interface CliDependencies {
  /**
   * Opens the database, applies pending migrations, runs `work`, and closes it. A gateway may be
   * running.
   */
  withContext<T>(work: (context: CliContext) => Promise<T>, options?: ContextOptions): Promise<T>;
  /**
   * Same without migrations. With `mayCreate`, creates a missing embedded database, which is then
   * empty. With `embeddedOnly`, rejects if the database is not embedded.
   */
  withMaintenanceContext<T>(
    work: (context: MaintenanceContext) => Promise<T>,
    options?: MaintenanceOptions,
  ): Promise<T>;
  /** The configured database, without its password. */
  databaseName(): string;
  /** Adds the variables of a file to the environment, unless they are set. */
  loadEnvFile(file: string): void;
  /** Checks settings, database, Redis and clocks. Never throws. */
  runDiagnostics(): Promise<Finding[]>;
  /** Starts a gateway or a worker in this process. */
  start(entryPoint: 'gateway' | 'worker'): Promise<void>;
  readonly version: string;
}

/** Dependencies and output of each command. */
export interface Cli extends CliDependencies {
  /** Prints `result` as one line of JSON with `--json`, else prints `text`. */
  printResult(result: unknown, text: string): void;
  /**
   * Reports the progress of a long command (`done`: 0 to 1) on standard error: as a progress bar on
   * a terminal, else as a line every few seconds. Prints nothing with `--json`.
   */
  reportProgress(done: number, text: string): void;
  /** Source of secrets, which are never read from the command line. */
  readonly input: TerminalInput;
  /** Sets exit code 1 for a command that also prints a result. */
  markFailed(): void;
}
