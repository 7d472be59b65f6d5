import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createDatabase } from '../../src/persistence/database.js';
import { readConfig } from '../../src/config/config.js';
import { openDemo } from '../../src/composition/demo.js';
import { NO_GRANTS_VERSIONS } from '../../src/redis/grants-versions.js';
import { readTables } from '../../src/persistence/backup.js';
import { MIGRATIONS_DIR } from '../../src/config/package-paths.js';
import { applyMigrations } from '../../src/persistence/migrations.js';
import { demoViewers } from '../fixtures/demo-viewers.js';
import { dataInconsistencies } from '../fixtures/data-inconsistencies.js';
import { emptyDatabase, testDatabase } from '../setup/database.js';
import {
  buildIfChanged,
  errorLinesOf,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../setup/started-program.js';
import { silentLog } from '../setup/test-server.js';

jest.setTimeout(180_000);
beforeAll(buildIfChanged);
afterEach(killStartedPrograms);

const quoteName = (name: string): string => pg.escapeIdentifier(name);
const quoteNames = (names: readonly string[]): string => names.map(quoteName).join(', ');

/** Scopes in the JSON of a key, which the first release does not have. */
const LATER_SCOPES = /, "(?:webhooks|connections)"/g;
/** Rows as the first release would have them, by table: it keeps no files. */
const LATER_VALUES: Readonly<Partial<Record<string, (rows: string) => string>>> = {
  api_key: (rows) => rows.replaceAll(LATER_SCOPES, ''),
  media: (rows) => rows.replaceAll('"url": "/media/', '"url": "https://example.com/media/'),
};

/** A database with only the first migration, and the demo data. */
async function createFirstReleaseDatabase(
  source: pg.Pool,
): Promise<{ url: string; pool: pg.Pool; drop(): Promise<void> }> {
  const migrationsDir = mkdtempSync(path.join(os.tmpdir(), 'first-release-'));
  const [first] = readdirSync(MIGRATIONS_DIR).sort();
  cpSync(path.join(MIGRATIONS_DIR, first!), path.join(migrationsDir, first!), { recursive: true });
  const database = await emptyDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  await applyMigrations(createDatabase(pool), migrationsDir, silentLog);
  const tables = await readTables(pool);
  // rows that the migration inserts
  await pool.query(`TRUNCATE ${quoteNames(tables.map(({ name }) => name))}`);
  for (const { name, columns } of tables) {
    const {
      rows: [tableRows],
    } = await source.query<{ rows: string }>(
      `SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]')::text AS rows FROM ${quoteName(name)} t`,
    );
    await pool.query(
      `INSERT INTO ${quoteName(name)} (${quoteNames(columns)}) SELECT ${quoteNames(columns)} FROM jsonb_populate_recordset(NULL::${quoteName(name)}, $1::jsonb)`,
      [LATER_VALUES[name]?.(tableRows!.rows) ?? tableRows!.rows],
    );
  }
  const values = new Map(
    (await readSequences(source)).map(({ name, last }) => [name, last] as const),
  );
  for (const { name } of await readSequences(pool))
    await pool.query('SELECT setval($1, $2)', [name, values.get(name)]);
  rmSync(migrationsDir, { recursive: true });
  return {
    url: database.url,
    pool,
    async drop() {
      await pool.end();
      await database.drop();
    },
  };
}

const readSequences = async (pool: pg.Pool): Promise<{ name: string; last: string | null }[]> =>
  (
    await pool.query(
      "SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = current_schema() AND sequencename <> 'post_count_change_id_seq'",
    )
  ).rows;

type Tables = Awaited<ReturnType<typeof readTables>>;
/** Every row of each table, as text. */
async function rowsOf(pool: pg.Pool, tables: Tables): Promise<Record<string, string[]>> {
  const entries = await Promise.all(
    tables.map(async ({ name, columns }) => {
      const { rows } = await pool.query<{ row: string }>(
        `SELECT to_jsonb(t)::text AS row FROM (SELECT ${quoteNames(columns)} FROM ${quoteName(name)}) t ORDER BY 1`,
      );
      return [name, rows.map(({ row }) => row)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

it('two gateways that start concurrently on a database of the first release keep every row, and a worker completes its jobs', async () => {
  const source = await testDatabase();
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'upgrade-'));
  const demo = await openDemo(
    { database: { ...source, isNew: false }, grantsVersions: NO_GRANTS_VERSIONS },
    { ...readConfig({}), dataDir },
  ).ensure({
    graphqlUrl: 'http://127.0.0.1:4000/graphql',
    restUrl: 'http://127.0.0.1:4000/v1',
  });
  const upgraded = await createFirstReleaseDatabase(source.pool);
  const tables = await readTables(upgraded.pool);
  const before = await rowsOf(upgraded.pool, tables);
  expect([
    before['post']!.length > 300,
    before['job']!.length > 0,
    before['revision']!.length > 0,
  ]).toEqual([true, true, true]);

  const gateways = [1, 2].map(() =>
    startProgram({ DATABASE_URL: upgraded.url, PORT: '0', JOB_CONCURRENCY: '0' }),
  );
  for (const gateway of gateways)
    await waitUntil(() => gateway.output().includes('REST v1'), gateway);
  expect(await rowsOf(upgraded.pool, tables)).toEqual(before);
  const upgradedDatabase = createDatabase(upgraded.pool);
  expect(
    await dataInconsistencies(upgradedDatabase, await demoViewers(upgradedDatabase, demo)),
  ).toEqual([]);
  const {
    rows: [visible],
  } = await source.pool.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM post WHERE workspace_id = $1 AND deleted_at IS NULL AND (stored_state NOT IN (24, 25) OR creator_id = (SELECT user_id FROM membership WHERE workspace_id = $1 AND role = $2))',
    [demo.workspaceId, 'owner'],
  );
  for (const { output } of gateways) {
    const url = /http:\/\/[\d.]+:\d+/.exec(output())![0];
    const response = await fetch(`${url}/v1/posts`, {
      headers: {
        Authorization: `Bearer-API ${demo.keys.owner}`,
        'Service-Workspace-Id': demo.workspaceId,
      },
    });
    expect([response.status, ((await response.json()) as { total: number }).total]).toEqual([
      200,
      visible!.total,
    ]);
  }

  // the demo has an account that is limited for hours
  await upgraded.pool.query('UPDATE sandbox_account SET rate_limited_until = NULL');
  await upgraded.pool.query("UPDATE job SET due_at = now() WHERE status = 'working'");
  const worker = startProgram({ DATABASE_URL: upgraded.url, PORT: '0' }, [
    process.execPath,
    'dist/worker.js',
  ]);
  await waitUntil(
    async () =>
      (await upgraded.pool.query("SELECT FROM job WHERE status = 'working'")).rowCount === 0,
    worker,
  );
  expect([...gateways, worker].flatMap(errorLinesOf)).toEqual([]);
  for (const { child } of [...gateways, worker]) child.kill('SIGTERM');
  await Promise.all([...gateways, worker].map(({ exit }) => exit));
  await upgraded.drop();
  await source.drop();
  rmSync(dataDir, { recursive: true });
});
