import path from 'node:path';
import type { CliDependencies, MaintenanceContext } from '../../cli/cli-context.js';
import type { Config } from '../../config/config.js';
import { MIGRATIONS_DIR } from '../../config/package-paths.js';
import { readDemoFile, writeDemoFile, type DemoFile } from '../../demo/demo-file.js';
import { restoreBackup } from '../../persistence/backup/restore-backup.js';
import { writeBackup } from '../../persistence/backup/write-backup.js';
import { keyFileIn } from '../../persistence/credentials/credential-keys.js';
import { readDatabaseFacts } from '../../persistence/database-diagnostics.js';
import {
  readMigrationStates,
  applyMigrations,
  markRolledBack,
} from '../../persistence/migrations.js';
import { readRedisFacts } from '../../redis/redis-diagnostics.js';
import { openGrantsVersions } from '../../redis/shared-redis-state.js';
import { diagnose, diagnoseSettings } from '../../services/diagnostics/diagnose.js';
import type { Log } from '../../domain/log.js';
import {
  openCredentialKeys,
  assertDatabaseExists,
  openConfiguredDatabase,
  type ConfiguredDatabase,
} from '../open-database.js';
import { pgDumpCommand } from '../database-name.js';

const POOL_SIZE = 2;
const NO_LOG: Log = { info() {}, warn() {} };

type ReadSettings = () => Config;

/** @throws Error with the command to run instead, unless the database is embedded */
function assertEmbedded({ databaseUrl }: Config): void {
  if (databaseUrl)
    throw new Error(
      `Only the embedded database is backed up by this command. Back up the database of DATABASE_URL with ${pgDumpCommand(databaseUrl)}`,
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
      poolSize: POOL_SIZE,
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
    async backUp(file, progress) {
      const demo = await readDemoFile(dataDir);
      return writeBackup(database, { file: path.resolve(file), demo }, progress);
    },
    async restore(file, mayReplace, progress) {
      const { userIds, demo, ...report } = await restoreBackup(
        database,
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
      return diagnoseSettings((error as Error).message.split('\n'));
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
