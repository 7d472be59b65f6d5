import './typescript.cjs';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { applyMigrations, MIGRATIONS_DIR } from '../../src/persistence/migrations.js';
import {
  openTestServer,
  removeFolder,
  silent,
  sweepKilledRuns,
  temporaryFolder,
} from './test-server.js';

/** Where a run's databases are, handed to the workers as JSON in TEST_DATABASES. */
export interface TestDatabases {
  /** Any database of the server, to make and drop others from. */
  adminUrl: string;
  /** What the names of this run's databases begin with. */
  prefix: string;
  /** The migrated database that every test database is a copy of. */
  template: string;
}

/** One server a run: TEST_DATABASE_URL's, or an embedded one; on it one migrated template. */
export default async function setUp(): Promise<void> {
  const adminUrl = process.env.TEST_DATABASE_URL || (await startServer());
  const prefix = `pgw_test_${process.pid}_${randomBytes(3).toString('hex')}`;
  const databases: TestDatabases = { adminUrl, prefix, template: `${prefix}_template` };
  process.env.TEST_DATABASES = JSON.stringify(databases);

  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${databases.template} TEMPLATE template0 ENCODING 'UTF8'`);
  await admin.end();
  const templateUrl = new URL(adminUrl);
  templateUrl.pathname = databases.template;
  const pool = new pg.Pool({ connectionString: templateUrl.href });
  await applyMigrations(pool, MIGRATIONS_DIR, silent);
  await pool.end();
}

async function startServer(): Promise<string> {
  await sweepKilledRuns();
  const folder = temporaryFolder();
  const server = await openTestServer(folder);
  Object.assign(globalThis, {
    stopTestServer: async () => {
      await server.release();
      removeFolder(folder);
    },
  });
  return server.connectionString;
}
