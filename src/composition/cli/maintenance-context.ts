import path from 'node:path';
import type { CliDependencies, MaintenanceContext } from '../../cli/cli.js';
import type { Config } from '../../config/config.js';
import { readDemoFile, writeDemoFile, type DemoFile } from '../../demo/demo-file.js';
import { hasDatabase } from '../../embedded-postgres/server-location.js';
import { restoreBackup } from '../../persistence/backup/restore-backup.js';
import { writeBackup } from '../../persistence/backup/write-backup.js';
import { readDatabaseFacts } from '../../persistence/database-facts.js';
import { readMigrationStates } from '../../persistence/migration-status.js';
import { applyMigrations, markRolledBack, MIGRATIONS_DIR } from '../../persistence/migrations.js';
import { readRedisFacts } from '../../redis/redis-facts.js';
import { openGrantsVersions } from '../../redis/redis-state.js';
import { diagnose } from '../../services/diagnostics/diagnose.js';
import type { Finding } from '../../services/diagnostics/diagnostic-facts.js';
import type { Log } from '../../services/log-port.js';
import { credentialKeyFile, openCredentialKeys } from '../database/credential-keys.js';
import { openConfiguredDatabase, type ConfiguredDatabase } from '../database/open-database.js';

const POOL_SIZE = 2;
const NO_LOG: Log = { info() {}, warn() {} };

type ReadSettings = () => Config;

/**
 * @throws Error if the embedded database does not exist: commands that only read must not create
 * one
 */
function assertDatabaseExists({ databaseUrl, dataDir }: Config): void {
  if (!databaseUrl && !hasDatabase(dataDir))
    throw new Error(
      `There is no database in ${dataDir} yet. Run \`npm start\` to create one, or set DATA_DIR or DATABASE_URL to an existing one`,
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
    if (!options?.mayCreate) assertDatabaseExists(settings);
    const log = { info: () => {}, warn };
    const database = await openConfiguredDatabase(settings, { poolSize: POOL_SIZE, log });
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
  const { pool, isEmbedded } = database;
  const { dataDir } = settings;
  return {
    keyFile: credentialKeyFile(settings, database),
    migrations: {
      states: () => readMigrationStates(pool, MIGRATIONS_DIR),
      apply: () => applyMigrations(pool, MIGRATIONS_DIR, log),
      markRolledBack: (name) => markRolledBack(pool, name),
    },
    async backUp(file, progress) {
      const demo = isEmbedded ? await readDemoFile(dataDir) : null;
      return writeBackup(pool, { file: path.resolve(file), demo }, progress);
    },
    async restore(file, mayReplace, progress) {
      const { userIds, demo, ...report } = await restoreBackup(
        pool,
        { file: path.resolve(file), migrationsDir: MIGRATIONS_DIR, mayReplace, log },
        progress,
      );
      if (isEmbedded && demo) await writeDemoFile(dataDir, demo as DemoFile);
      await renewGrants(userIds);
      return report;
    },
  };
}

/**
 * Checks the settings and each dependency that they name. A check that cannot run is a finding too.
 */
export const createDiagnosticsRunner =
  (readSettings: ReadSettings): CliDependencies['runDiagnostics'] =>
  async () => {
    try {
      const settings = readSettings();
      const [database, redis] = await Promise.all([
        checkDatabase(settings).catch(describeError),
        readRedisFacts(settings).catch(describeError),
      ]);
      return [
        { status: 'ok', subject: 'settings', message: 'valid' },
        ...diagnose({ database, redis }),
      ];
    } catch (error) {
      return (error as Error).message.split('\n').map((message): Finding => ({
        status: 'fail',
        subject: 'settings',
        message,
        advice: 'Correct it. .env.example lists every setting.',
      }));
    }
  };

async function checkDatabase(settings: Config): ReturnType<typeof readDatabaseFacts> {
  assertDatabaseExists(settings);
  const database = await openConfiguredDatabase(settings, { poolSize: POOL_SIZE, log: NO_LOG });
  try {
    const keys = openCredentialKeys(settings, database);
    return await readDatabaseFacts(database, { migrationsDir: MIGRATIONS_DIR, keys });
  } finally {
    await database.close();
  }
}

const describeError = (error: Error & { code?: string }): string =>
  error.message || error.code || 'unknown error';
