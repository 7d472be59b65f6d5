import path from 'node:path';
import type { Means, Workbench } from '../cli/cli.js';
import type { Config } from '../config/config.js';
import { readDemoFile, writeDemoFile } from '../demo/demo-file.js';
import type { DemoFile } from '../demo/demo-file.js';
import { restoreBackup } from '../persistence/backup/restore-backup.js';
import { writeBackup } from '../persistence/backup/write-backup.js';
import { databaseFacts, redisFacts } from '../persistence/diagnostics-facts.js';
import { createCredentialKeys, keyFileIn } from '../persistence/credentials/credential-keys.js';
import { openDatabase, type Database } from '../persistence/database.js';
import { isMade } from '../embedded-postgres/embedded-place.js';
import type { Log } from '../persistence/log.js';
import { migrationStates } from '../persistence/migration-states.js';
import { applyMigrations, markRolledBack, MIGRATIONS_DIR } from '../persistence/migrations.js';
import { openEpochs } from '../redis/redis-state.js';
import { findingsOf, type Finding } from '../services/diagnostics.js';

const POOL_SIZE = 2;
type Settings = () => Config;

const openAsIs = ({ databaseUrl, dataDir }: Config, log: Log): Promise<Database> =>
  openDatabase({ databaseUrl, dataDir, poolSize: POOL_SIZE, log });
/** @throws Error where there is no embedded database yet: who only looks makes none */
function assertThere({ databaseUrl, dataDir }: Config): void {
  if (!databaseUrl && !isMade(dataDir))
    throw new Error(
      `There is no database in ${dataDir} yet: \`npm start\` makes one there; DATA_DIR or DATABASE_URL name another`,
    );
}
const keyFileOf = ({ dataDir }: Config, { embedded }: Database): string | null =>
  embedded ? keyFileIn(dataDir) : null;

/** Opens what the settings name as it is, its tables not brought up to date, and closes it when the work is over. */
export const withWorkbench =
  (readSettings: Settings, warn: (message: string) => void): Means['openAsIs'] =>
  async (work, how) => {
    const settings = readSettings();
    if (!how?.mayMake) assertThere(settings);
    const log = { info: () => {}, warn };
    const database = await openAsIs(settings, log);
    const epochs = openEpochs(settings, log);
    try {
      return await work(workbenchOf(database, { settings, log, end: epochs.end }));
    } finally {
      await epochs.close();
      await database.close();
    }
  };

interface Surroundings {
  readonly settings: Config;
  readonly log: Log;
  end(userIds: readonly string[]): Promise<void>;
}

function workbenchOf(database: Database, { settings, log, end }: Surroundings): Workbench {
  const { pool, embedded } = database;
  const { dataDir } = settings;
  return {
    keyFile: keyFileOf(settings, database),
    migrations: {
      states: () => migrationStates(pool, MIGRATIONS_DIR),
      apply: () => applyMigrations(pool, MIGRATIONS_DIR, log),
      markRolledBack: (name) => markRolledBack(pool, name),
    },
    async backUp(file, watching) {
      return writeBackup(
        pool,
        { file: path.resolve(file), demo: embedded ? await readDemoFile(dataDir) : null },
        watching,
      );
    },
    async restore(file, mayReplace, watching) {
      const { userIds, demo, ...report } = await restoreBackup(
        pool,
        { file: path.resolve(file), migrationsDir: MIGRATIONS_DIR, mayReplace, log },
        watching,
      );
      if (embedded && demo) await writeDemoFile(dataDir, demo as DemoFile);
      await end(userIds);
      return report;
    },
  };
}

/** Looks at every part that the settings name, and at the settings; what cannot be looked at is a finding, too. */
export const checkUpOn =
  (readSettings: Settings): Means['checkUp'] =>
  async () => {
    try {
      const settings = readSettings();
      const [database, redis] = await Promise.all([
        askDatabase(settings).catch(reasonOf),
        redisFacts(settings).catch(reasonOf),
      ]);
      return [
        { level: 'ok', about: 'settings', says: 'can be read' },
        ...findingsOf({ database, redis }),
      ];
    } catch (error) {
      return (error as Error).message.split('\n').map((says): Finding => ({
        level: 'fail',
        about: 'settings',
        says,
        advice: 'Mend it; .env.example lists every setting.',
      }));
    }
  };

async function askDatabase(settings: Config): ReturnType<typeof databaseFacts> {
  assertThere(settings);
  const database = await openAsIs(settings, { info: () => {}, warn: () => {} });
  try {
    const keys = createCredentialKeys({
      configured: settings.credentialsKeys,
      keyFile: keyFileOf(settings, database),
    });
    return await databaseFacts(database, { migrationsDir: MIGRATIONS_DIR, keys });
  } finally {
    await database.close();
  }
}

const reasonOf = (error: Error & { code?: string }): string =>
  error.message || error.code || 'no reason given';
