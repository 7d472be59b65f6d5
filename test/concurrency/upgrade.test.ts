import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openDemo } from '../../src/composition/demo-setup.js';
import { NO_EPOCHS } from '../../src/redis/grants-versions.js';
import {
  listOf,
  quoted,
  readSequences,
  readTables,
} from '../../src/persistence/backup/backup-tables.js';
import { applyMigrations, MIGRATIONS_DIR } from '../../src/persistence/migrations.js';
import { demoViewers } from '../fixtures/demo-viewers.js';
import { inconsistencies } from '../fixtures/inconsistencies.js';
import { emptyDatabase, testDatabase } from '../setup/database.js';
import { buildWhatIsStarted, faultsOf, killStarted, start, until } from '../setup/started.js';
import { silent } from '../setup/test-server.js';

jest.setTimeout(180_000);
beforeAll(buildWhatIsStarted);
afterEach(killStarted);

/** What the first release had otherwise: of what the network shows, the text alone, in a column of its own. */
const AS_IT_WAS: Readonly<Record<string, string>> = {
  post_sync: "jsonb_build_object('live_text', t.live->>'text')",
};
/** What later releases write of their own accord: what they add stands beside. */
const REMADE: Readonly<Record<string, readonly string[]>> = { post_sync: ['live_text'] };

/** A database as the first release has left it, with the demo that it made. */
async function aFirstRelease(
  demoOf: pg.Pool,
): Promise<{ url: string; pool: pg.Pool; drop(): Promise<void> }> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'first-release-'));
  const [first] = readdirSync(MIGRATIONS_DIR).sort();
  cpSync(path.join(MIGRATIONS_DIR, first!), path.join(dir, first!), { recursive: true });
  const database = await emptyDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  await applyMigrations(pool, dir, silent);
  await pool.query('DROP SCHEMA pgboss CASCADE'); // it had no line of jobs
  for (const { name, columns } of await readTables(pool as unknown as pg.Client)) {
    const {
      rows: [all],
    } = await demoOf.query<{ rows: string }>(
      `SELECT coalesce(jsonb_agg(to_jsonb(t) || ${AS_IT_WAS[name] ?? "'{}'"}), '[]')::text AS rows FROM ${quoted(name)} t`,
    );
    await pool.query(
      `INSERT INTO ${quoted(name)} (${listOf(columns)}) SELECT ${listOf(columns)} FROM jsonb_populate_recordset(NULL::${quoted(name)}, $1::jsonb)`,
      [all!.rows],
    );
  }
  for (const { name, last } of await readSequences(demoOf as unknown as pg.Client))
    await pool.query('SELECT setval($1, $2)', [name, last]);
  rmSync(dir, { recursive: true });
  return {
    url: database.url,
    pool,
    async drop() {
      await pool.end();
      await database.drop();
    },
  };
}

type Tables = Awaited<ReturnType<typeof readTables>>;
/** All rows of these columns, as text. */
async function rowsOf(pool: pg.Pool, tables: Tables): Promise<Record<string, string[]>> {
  const entries = await Promise.all(
    tables.map(async ({ name, columns }) => {
      const kept = columns.filter((column) => !REMADE[name]?.includes(column));
      const { rows } = await pool.query<{ row: string }>(
        `SELECT to_jsonb(t)::text AS row FROM (SELECT ${listOf(kept)} FROM ${quoted(name)}) t ORDER BY 1`,
      );
      return [name, rows.map(({ row }) => row)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

it('what the first release has left is whole after two gateways that start on it at once, and its jobs are done', async () => {
  const source = await testDatabase();
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'upgrade-'));
  const demo = await openDemo({ ...source, fresh: false, epochs: NO_EPOCHS }, dataDir).ensure({
    graphqlUrl: '',
    restUrl: '',
  });
  const old = await aFirstRelease(source.pool);
  const tables = await readTables(old.pool as unknown as pg.Client);
  const before = await rowsOf(old.pool, tables);
  expect([
    before['post']!.length > 300,
    before['job']!.length > 0,
    before['revision']!.length > 0,
  ]).toEqual([true, true, true]);

  const gateways = [1, 2].map(() =>
    start({ DATABASE_URL: old.url, PORT: '0', JOB_CONCURRENCY: '0' }),
  );
  for (const gateway of gateways) await until(() => gateway.output().includes('REST v1'), gateway);
  expect(await rowsOf(old.pool, tables)).toEqual(before);
  expect(await inconsistencies(old.pool, await demoViewers(old.pool, demo))).toEqual([]);
  const {
    rows: [visible],
  } = await source.pool.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM post WHERE workspace_id = $1 AND deleted_at IS NULL AND (cell NOT IN (24, 25) OR creator_id = (SELECT user_id FROM membership WHERE workspace_id = $1 AND role = $2))',
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

  await old.pool.query(
    "UPDATE job SET due_at = now() - interval '1 minute' WHERE status = 'working'",
  ); // a job that has no ticket is looked for after a while
  const worker = start({ DATABASE_URL: old.url, PORT: '0' }, [process.execPath, 'dist/worker.js']);
  await until(
    async () => (await old.pool.query("SELECT FROM job WHERE status = 'working'")).rowCount === 0,
    worker,
  );
  expect([...gateways, worker].flatMap(faultsOf)).toEqual([]);
  for (const { child } of [...gateways, worker]) child.kill('SIGTERM');
  await Promise.all([...gateways, worker].map(({ exit }) => exit));
  await old.drop();
  await source.drop();
  rmSync(dataDir, { recursive: true });
});
