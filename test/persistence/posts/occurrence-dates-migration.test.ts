import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { MIGRATIONS_DIR } from '../../../src/config/package-paths.js';
import { createDatabase } from '../../../src/persistence/database.js';
import { applyMigrations } from '../../../src/persistence/migrations.js';
import { emptyDatabase } from '../../setup/database.js';
import { silentLog } from '../../setup/test-server.js';

const MIGRATION = '20261128030000';
let dir: string;
let database: { url: string; drop(): Promise<void> };
let pool: pg.Pool;
beforeEach(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
  database = await emptyDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
  rmSync(dir, { recursive: true });
});

async function migrate(accepts: (name: string) => boolean): Promise<void> {
  for (const name of readdirSync(MIGRATIONS_DIR).filter(accepts))
    cpSync(path.join(MIGRATIONS_DIR, name), path.join(dir, name), { recursive: true });
  await applyMigrations(createDatabase(pool), dir, silentLog);
}

const POSTS = `
INSERT INTO post (id, doc_id, workspace_id, account_id, network, creator_id, stored_state, type, parent_id, scheduled_at, deleted_at)
SELECT id, lpad(id::text, 24, '0'), 'wks', 'acc', 'mastodon', 'usr', state, 'status', parent, at::timestamptz, deleted::timestamptz
  FROM (VALUES (1, 50, NULL::bigint, '2027-01-03', NULL), (2, 1, 1, '2027-01-03', NULL), (3, 1, 1, '2027-01-12', NULL), (4, 1, 1, '2027-01-17', '2026-11-20'),
               (5, 1, 1, '2027-01-24', '2026-11-21'), (6, 1, 1, '2027-01-03', NULL), (7, 1, NULL, '2027-01-03', NULL)) AS p(id, state, parent, at, deleted)`;

test('existing occurrences get their dates of the rule', async () => {
  await migrate((name) => name < MIGRATION);
  await pool.query(
    "INSERT INTO app_user (id, name, email, plan) VALUES ('usr', 'Ada', 'ada@example.com', 'free')",
  );
  await pool.query("INSERT INTO workspace (id, name, time_zone) VALUES ('wks', 'Shop', 'UTC')");
  await pool.query(
    "INSERT INTO account (id, workspace_id, network, type, name, social_id) VALUES ('acc', 'wks', 'mastodon', 'page', 'Shop', '1')",
  );
  await pool.query(POSTS);
  const move = (from: string, to: string, own: [string[], string[]]): string =>
    JSON.stringify({ scheduledAt: { from, to }, ownFields: { from: own[0], to: own[1] } });
  await pool.query(
    'INSERT INTO revision (post_id, version, at, changes) VALUES (3, 2, now(), $1), (3, 3, now(), $2), (1, 2, $3, $4)',
    [
      move('2027-01-10T00:00:00.000Z', '2027-01-11T00:00:00.000Z', [
        ['text'],
        ['text', 'scheduledAt'],
      ]),
      move('2027-01-11T00:00:00.000Z', '2027-01-12T00:00:00.000Z', [
        ['scheduledAt'],
        ['scheduledAt'],
      ]),
      // This change of the rule deleted an occurrence.
      '2026-11-21T00:00:00Z',
      JSON.stringify({ recurring: { from: null, to: {} } }),
    ],
  );
  await migrate((name) => name.startsWith(MIGRATION));
  const { rows } = await pool.query<{ id: string; date: Date | null }>(
    'SELECT id, occurrence_date AS date FROM post ORDER BY id',
  );
  expect(rows.map(({ id, date }) => [id, date?.toISOString().slice(0, 10)])).toEqual([
    ['1', undefined],
    ['2', '2027-01-03'],
    ['3', '2027-01-10'],
    ['4', '2027-01-17'],
    ['5', undefined],
    ['6', undefined],
    ['7', undefined],
  ]);
});
