import { appClientOf } from '../config/connection-settings.js';
import { OAUTH_APPS } from '../domain/connections/oauth-rules.js';
import type { DiagnosticFacts } from '../domain/diagnostics/diagnostic-facts.js';
import path from 'node:path';
import type { CliDependencies, MaintenanceContext } from '../cli/cli-context.js';
import { withoutPassword, type Config } from '../config/config.js';
import { MIGRATIONS_DIR } from '../config/package-paths.js';
import { readDemoFile, writeDemoFile, type DemoFile } from '../demo/demo-file.js';
import type { Log } from '../domain/log.js';
import { createAdminStore, createAdminLists } from '../persistence/admin/admin-store.js';
import { createDeletionStore } from '../persistence/admin/deletion-store.js';
import { restoreBackup, writeBackup } from '../persistence/backup.js';
import { createAccountStore } from '../persistence/credentials/account-store.js';
import { keyFileIn } from '../persistence/credentials/credential-keys.js';
import { createCredentialStore } from '../persistence/credentials/credential-store.js';
import { readDatabaseFacts } from '../persistence/database-diagnostics.js';
import { createJobWriter, createJobAdmin } from '../persistence/jobs/job-store.js';
import { readMigrationStates, applyMigrations, markRolledBack } from '../persistence/migrations.js';
import { createAnalyticsReader } from '../persistence/numbers/analytics-reader.js';
import { createPostStore } from '../persistence/posts/post-store.js';
import { createSandboxStore } from '../persistence/networks/sandbox-store.js';
import { createSandboxDeliveryStore } from '../persistence/publishing/sandbox-deliveries.js';
import { createPublishingPauses } from '../persistence/publishing/publishing-pauses.js';
import { createWebhookSecrets } from '../persistence/webhooks/webhook-secrets.js';
import { createWebhookStore } from '../persistence/webhooks/webhook-store.js';
import {
  createAccountStatusStore,
  createWorkspaceLockStore,
} from '../persistence/workspaces/suspension-store.js';
import { createRenewalStore } from '../persistence/credentials/renewal-store.js';
import { createWorkspaceRecordStore } from '../persistence/workspaces/workspace-record-store.js';
import { createSandboxNetwork } from '../networks/sandbox.js';
import { readRedisFacts } from '../redis/redis-diagnostics.js';
import { openGrantsVersions } from '../redis/shared-redis-state.js';
import { createAccountConnections } from '../services/accounts/account-connections.js';
import { createAccountStatusService } from '../services/accounts/account-status.js';
import { CALLBACK_PATH } from '../services/accounts/consents.js';
import { diagnose, diagnoseSettings } from '../services/diagnostics/diagnose.js';
import { createIds } from '../services/ids.js';
import { createAccountConnector } from '../services/networks/edit-target.js';
import { createWorkspaceLock } from '../services/workspaces/workspace-lock.js';
import { openDemo } from './demo.js';
import { addressProblem, readMediaFacts } from './media.js';
import { composeNetworks, composeRenewals } from './networks.js';
import {
  assertDatabaseExists,
  openMigratedDatabase,
  openCredentialKeys,
  openConfiguredDatabase,
  type ConfiguredDatabase,
} from './open-database.js';
import { composeEventTail } from './services.js';
import { composeCalendarFeeds } from './calendar-feeds.js';
import { composeWebhooks } from './webhooks.js';

/** Few connections: a gateway may use the same server at the same time. */
const POOL_SIZE = 4;
const MAINTENANCE_POOL_SIZE = 2;
const NO_LOG: Log = { info() {}, warn() {} };

type ReadSettings = () => Config;

/**
 * Opens and migrates the configured database for each command, and closes it when the command ends.
 */
export const withCliContext =
  (readSettings: ReadSettings, warn: (message: string) => void): CliDependencies['withContext'] =>
  async (work, options) => {
    const config = readSettings();
    if (options?.readsOnly) assertDatabaseExists(config);
    const { dataDir } = config;
    const log = { info: () => {}, warn };
    const database = await openMigratedDatabase(config, {
      poolSize: POOL_SIZE,
      log,
      maxAnswerMs: Infinity,
    });
    const grantsVersions = openGrantsVersions(config, log);
    try {
      const admin = createAdminStore(database, grantsVersions);
      const { clock } = database;
      const clockAndIds = { ids: createIds(clock), clock };
      const imports = {
        ...clockAndIds,
        store: createPostStore(database),
        workspaceRecords: createWorkspaceRecordStore(database),
        jobs: createJobWriter(database),
      };
      const keys = openCredentialKeys(config, database);
      const accounts = createAccountStore(database, keys);
      const credentials = createCredentialStore(database, keys);
      return await work({
        ...clockAndIds,
        accounts,
        credentials,
        accountConnections: () =>
          createAccountConnections({
            ...clockAndIds,
            networks: composeNetworks(config, { clock }),
            accounts,
            credentials,
            renewals: composeRenewals(config, {
              store: createRenewalStore(database, keys),
              clock,
              metrics: undefined,
            }),
            accountStatus: createAccountStatusService({
              accounts: createAccountStatusStore(database),
              store: imports.store,
              clock,
            }),
          }),
        connectAccount: (account) =>
          createAccountConnector({
            networks: composeNetworks(config, { clock }),
            sandbox: createSandboxNetwork({
              store: createSandboxStore(database),
              deliveries: createSandboxDeliveryStore(database),
              clock,
            }),
            credentials,
            logError: warn,
          })(account),
        connectSettings: config.connectSettings,
        calendarFeeds: () =>
          composeCalendarFeeds(config, {
            ...clockAndIds,
            database,
            workspaceRecords: imports.workspaceRecords,
            url: () => `http://localhost:${config.port}`,
          }),
        webhooks: composeWebhooks(config, { database, keys, ...clockAndIds }),
        webhookWorkspace: (id) =>
          createWebhookStore(database, createWebhookSecrets(keys)).workspaceOf(id),
        jobs: createJobAdmin(database),
        analytics: createAnalyticsReader(database),
        publishing: createPublishingPauses(database),
        events: () => composeEventTail(config, { database, clock, log }),
        workspaceLock: createWorkspaceLock({
          ...imports,
          workspaces: createWorkspaceLockStore(database, admin),
        }),
        admin,
        lists: createAdminLists(database),
        deletions: createDeletionStore(database, grantsVersions),
        demo: database.isEmbedded ? openDemo({ database, grantsVersions }, config) : null,
        imports,
        dataDir,
      });
    } finally {
      await grantsVersions.close();
      await database.close();
    }
  };

/** @throws Error with the command to run instead, unless the database is embedded */
function assertEmbedded({ databaseUrl }: Config): void {
  if (!databaseUrl) return;
  const name = withoutPassword(databaseUrl).replaceAll("'", '%27');
  throw new Error(
    `Only the embedded database is backed up by this command. Back up the database of DATABASE_URL with pg_dump --format=custom --file=posts.dump '${name}'`,
  );
}

/**
 * Opens the configured database without applying migrations, and closes it when the command ends.
 */
export const withMaintenanceContext =
  (
    readSettings: ReadSettings,
    warn: (message: string) => void,
  ): CliDependencies['withMaintenanceContext'] =>
  async (work, options) => {
    const settings = readSettings();
    if (options?.embeddedOnly) assertEmbedded(settings);
    if (!options?.mayCreate) assertDatabaseExists(settings);
    const log = { info: () => {}, warn };
    const database = await openConfiguredDatabase(settings, {
      poolSize: MAINTENANCE_POOL_SIZE,
      log,
      maxAnswerMs: Infinity,
    });
    const grantsVersions = openGrantsVersions(settings, log);
    try {
      return await work(
        createMaintenanceContext(database, {
          settings,
          log,
          renewGrants: (userIds) => grantsVersions.renew(userIds),
        }),
      );
    } finally {
      await grantsVersions.close();
      await database.close();
    }
  };

interface MaintenanceDependencies {
  readonly settings: Config;
  readonly log: Log;
  renewGrants(userIds: readonly string[]): Promise<void>;
}

function createMaintenanceContext(
  database: ConfiguredDatabase,
  { settings, log, renewGrants }: MaintenanceDependencies,
): MaintenanceContext {
  const { isEmbedded } = database;
  const { dataDir } = settings;
  return {
    keyFile: keyFileIn(dataDir),
    migrations: {
      states: () => readMigrationStates(database.scan, MIGRATIONS_DIR),
      apply: () => applyMigrations(database, MIGRATIONS_DIR, log),
      markRolledBack: (name) => markRolledBack(database, name),
    },
    async backUp(file, signal) {
      const demo = await readDemoFile(dataDir);
      return writeBackup(database, { file: path.resolve(file), demo }, signal);
    },
    async restore(file, mayReplace, signal) {
      const { userIds, demo, ...report } = await restoreBackup(
        database,
        { file: path.resolve(file), migrationsDir: MIGRATIONS_DIR, mayReplace, log },
        signal,
      );
      if (isEmbedded && demo) await writeDemoFile(dataDir, demo as DemoFile);
      await renewGrants(userIds);
      return report;
    },
  };
}

/** A preview of the redirect address (HEAD) is sent to the start page, and completes nothing. */
async function readRedirectFacts(settings: Config): Promise<DiagnosticFacts['redirect']> {
  if (!OAUTH_APPS.some((app) => appClientOf(settings, app) !== null)) return null;
  const { publicUrl } = settings;
  if (publicUrl === undefined) return { url: null, problem: null };
  const url = `${publicUrl}${CALLBACK_PATH}`;
  return { url, problem: await addressProblem(url, 303) };
}

/**
 * Checks the settings and each dependency that they name. A check that cannot run is a finding too.
 */
export const createDiagnosticsRunner =
  (readSettings: ReadSettings): CliDependencies['runDiagnostics'] =>
  async () => {
    try {
      const settings = readSettings();
      const [database, redis, media, redirect] = await Promise.all([
        checkDatabase(settings).catch(describeError),
        readRedisFacts(settings).catch(describeError),
        readMediaFacts(settings),
        readRedirectFacts(settings),
      ]);
      return [
        { status: 'ok', subject: 'settings', message: 'valid' },
        ...diagnose({ database, redis, media, redirect }),
      ];
    } catch (error) {
      return diagnoseSettings((error as Error).message.split('\n'));
    }
  };

async function checkDatabase(settings: Config): ReturnType<typeof readDatabaseFacts> {
  assertDatabaseExists(settings);
  const database = await openConfiguredDatabase(settings, {
    poolSize: MAINTENANCE_POOL_SIZE,
    log: NO_LOG,
  });
  try {
    const keys = openCredentialKeys(settings, database);
    return await readDatabaseFacts(database, { migrationsDir: MIGRATIONS_DIR, keys });
  } finally {
    await database.close();
  }
}

const describeError = (error: Error & { code?: string }): string =>
  error.message || error.code || 'unknown error';
