import { openDatabase, type Database } from './database.js';
import { applyMigrations, MIGRATIONS_DIR } from './migrations.js';

/**
 * Opens a database and brings it to this build's schema.
 * @throws Error of one line where it cannot be used or brought there; nothing stays open then
 */
export async function openMigrated(options: Parameters<typeof openDatabase>[0]): Promise<Database> {
  const database = await openDatabase(options);
  try {
    await applyMigrations(database.pool, MIGRATIONS_DIR, options.log);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
