import './typescript.cjs';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createDatabase } from '../../src/persistence/database.js';
import { MIGRATIONS_DIR } from '../../src/config/package-paths.js';
import { applyMigrations } from '../../src/persistence/migrations.js';
import {
  openTestServer,
  removeFolder,
  silentLog,
  sweepKilledRuns,
  temporaryFolder,
} from './test-server.js';

/** The databases of a test run, passed to the workers as JSON in TEST_DATABASES. */
export interface TestDatabases {
  /** A database to connect to for creating and dropping others. */
  adminUrl: string;
  /** Prefix of this run's database names. */
  prefix: string;
  /** The migrated database that test databases are copied from. */
  template: string;
}

/** Prepares a server, TEST_DATABASE_URL or an embedded one, and a migrated template database. */
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
  await applyMigrations(createDatabase(pool), MIGRATIONS_DIR, silentLog);
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
