import type { Config } from '../../config/config.js';
import { openEmbeddedServer } from '../../embedded-postgres/embedded-postgres.js';
import { openDatabase, type Database } from '../../persistence/database.js';
import { applyMigrations, MIGRATIONS_DIR } from '../../persistence/migrations.js';
import type { Log } from '../../services/log-port.js';

/** The database that the settings name: DATABASE_URL, or the embedded server without it. */
export interface ConfiguredDatabase extends Database {
  readonly isEmbedded: boolean;
  /** True if this call created the embedded database; always false with DATABASE_URL. */
  readonly isNew: boolean;
}

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDir'>;
interface OpenOptions {
  readonly poolSize: number;
  readonly log: Log;
}

/**
 * Opens the configured database without applying migrations. Closing it also releases the embedded
 * server.
 * @throws Error of one line if it cannot be used
 */
export async function openConfiguredDatabase(
  { databaseUrl, dataDir }: DatabaseConfig,
  options: OpenOptions,
): Promise<ConfiguredDatabase> {
  if (databaseUrl) {
    const database = await openDatabase({ connectionString: databaseUrl, ...options });
    return { ...database, isEmbedded: false, isNew: false };
  }
  const server = await openEmbeddedServer({ dataDir, log: options.log });
  try {
    const database = await openDatabase({ connectionString: server.connectionString, ...options });
    return {
      ...database,
      isEmbedded: true,
      isNew: server.isNew,
      close: async () => {
        await database.close();
        await server.release();
      },
    };
  } catch (error) {
    await server.release();
    throw error;
  }
}

/**
 * Opens the configured database and applies pending migrations.
 * @throws Error of one line if it cannot be used or migrated; nothing stays open
 */
export async function openMigratedDatabase(
  config: DatabaseConfig,
  options: OpenOptions,
): Promise<ConfiguredDatabase> {
  const database = await openConfiguredDatabase(config, options);
  try {
    await applyMigrations(database.pool, MIGRATIONS_DIR, options.log);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
