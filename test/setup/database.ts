import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase, type Database } from '../../src/persistence/database.js';
import type { TestDatabases } from './global-setup.js';

/** A database of its own for one test file, migrated and empty. */
export interface TestDatabase extends Pick<Database, 'pool' | 'prisma'> {
  url: string;
  /** Closes the connections and removes the database; call it in afterAll. */
  drop(): Promise<void>;
}

const POOL_SIZE = 5;

/** A copy of the run's template. */
export async function testDatabase(): Promise<TestDatabase> {
  const { template } = databases();
  const empty = await emptyDatabase(template);
  const { pool, prisma, close } = await openDatabase({
    databaseUrl: empty.url,
    dataDir: '',
    poolSize: POOL_SIZE,
    log: console,
  });
  return {
    pool,
    prisma,
    url: empty.url,
    async drop() {
      await close();
      await empty.drop();
    },
  };
}

/** A new database without tables (or a copy of another), for tests of what comes before the pool. */
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

const CLOSING_MS = 500;

/** A pool says that it has ended before its connections have: cut off in between, they would tell of an error that nobody hears. */
async function dropDatabase(name: string): Promise<void> {
  const last = Date.now() + CLOSING_MS;
  while (
    Date.now() < last &&
    (await asAdmin(`SELECT FROM pg_stat_activity WHERE datname = '${name}'`)) > 0
  )
    await sleep(10);
  await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
}

function databases(): TestDatabases {
  return JSON.parse(process.env.TEST_DATABASES ?? '{}') as TestDatabases;
}

/** Gives how many rows there were. */
async function asAdmin(sql: string): Promise<number> {
  const admin = new pg.Client({ connectionString: databases().adminUrl });
  await admin.connect();
  try {
    return (await admin.query(sql)).rowCount ?? 0;
  } finally {
    await admin.end();
  }
}
