import pg from 'pg';
import type { TestDatabases } from './global-setup.js';

/** Stops the run's embedded server, or drops this run's databases on TEST_DATABASE_URL. */
export default async function tearDown(): Promise<void> {
  const { stopTestServer } = globalThis as { stopTestServer?: () => Promise<void> };
  if (stopTestServer) return stopTestServer();
  const { adminUrl, prefix } = JSON.parse(process.env.TEST_DATABASES ?? '{}') as TestDatabases;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const { rows } = await admin.query<{ name: string }>(
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  );
  for (const { name } of rows)
    await admin.query(`DROP DATABASE IF EXISTS ${admin.escapeIdentifier(name)} WITH (FORCE)`);
  await admin.end();
}
