import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase, type OpenDatabase } from '../../src/persistence/database.js';
import { forAllTests } from '../fixtures/lifecycle.js';
import type { TestDatabases } from './global-setup.js';

/** A migrated, empty database for one test file. */
export interface TestDatabase extends OpenDatabase {
  url: string;
  /** Closes the connections and drops the database. */
  drop(): Promise<void>;
}

const POOL_SIZE = 5;
const MEDIA_BASE_URL = 'https://gateway.example.com';

/** Creates a copy of the run's template. */
export async function testDatabase(): Promise<TestDatabase> {
  const { template } = databases();
  const empty = await emptyDatabase(template);
  const database = await openDatabase({
    connectionString: empty.url,
    poolSize: POOL_SIZE,
    log: console,
    mediaBaseUrl: () => MEDIA_BASE_URL,
  });
  return {
    ...database,
    url: empty.url,
    async drop() {
      await database.close();
      await empty.drop();
    },
  };
}

/** The same for all tests of a file. */
export const withDatabase = (): TestDatabase => forAllTests(testDatabase, 'drop');

/** Creates a database without tables, or a copy of another database. */
export async function emptyDatabase(
  template = 'template0',
): Promise<{ url: string; drop(): Promise<void> }> {
  const { adminUrl, prefix } = databases();
  const name = `${prefix}_${randomBytes(4).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(adminUrl);
  url.pathname = name;
  return { url: url.href, drop: () => dropDatabase(name) };
}

const CLOSE_TIMEOUT_MS = 500;

/**
 * `pool.end()` resolves before its connections are closed; dropping the database then would cause
 * unhandled errors.
 */
async function dropDatabase(name: string): Promise<void> {
  const deadline = Date.now() + CLOSE_TIMEOUT_MS;
  while (
    Date.now() < deadline &&
    (await asAdmin(`SELECT FROM pg_stat_activity WHERE datname = '${name}'`)) > 0
  )
    await sleep(10);
  await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
}

function databases(): TestDatabases {
  return JSON.parse(process.env.TEST_DATABASES ?? '{}') as TestDatabases;
}

/** Returns the number of rows. */
async function asAdmin(sql: string): Promise<number> {
  const admin = new pg.Client({ connectionString: databases().adminUrl });
  await admin.connect();
  try {
    return (await admin.query(sql)).rowCount ?? 0;
  } finally {
    await admin.end();
  }
}
