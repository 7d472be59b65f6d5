import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createDatabase } from '../../../src/persistence/database.js';
import { MIGRATIONS_DIR } from '../../../src/config/package-paths.js';
import { applyMigrations } from '../../../src/persistence/migrations.js';
import { ACTUAL_DETAILED_COUNTS, KEPT_DETAILED_COUNTS } from '../../fixtures/kept-counts.js';
import { emptyDatabase } from '../../setup/database.js';
import { silentLog } from '../../setup/test-server.js';

const WRITERS = 4;
const FILL = '_post_count_details';

let dir: string;
let database: { url: string; drop(): Promise<void> };
let pool: pg.Pool;
beforeEach(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
  database = await emptyDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: WRITERS + 2 });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
  rmSync(dir, { recursive: true });
});

/** Applies all migrations whose names are accepted. */
async function migrate(accepts: (name: string) => boolean): Promise<void> {
  for (const name of readdirSync(MIGRATIONS_DIR).filter(accepts))
    cpSync(path.join(MIGRATIONS_DIR, name), path.join(dir, name), { recursive: true });
  await applyMigrations(createDatabase(pool), dir, silentLog);
}

const insertPosts = (many: number): Promise<unknown> =>
  pool.query(
    "INSERT INTO post (doc_id, workspace_id, account_id, network, creator_id, stored_state, type) SELECT substr(md5(random()::text), 1, 24), 'wks', 'acc', 'mastodon', 'usr', (ARRAY[21, 23, 25])[1 + n % 3], (ARRAY['status', 'link'])[1 + n % 2]::post_type FROM generate_series(1, $1::int) n",
    [many],
  );

test('changes during the upgrade are counted', async () => {
  await migrate((name) => name < '20261123130000');
  await pool.query(
    "INSERT INTO app_user (id, name, email, plan) VALUES ('usr', 'Ada', 'ada@example.com', 'free')",
  );
  await pool.query("INSERT INTO workspace (id, name, time_zone) VALUES ('wks', 'Shop', 'UTC')");
  await pool.query(
    "INSERT INTO account (id, workspace_id, network, type, name, social_id) VALUES ('acc', 'wks', 'mastodon', 'page', 'Shop', '1')",
  );
  await insertPosts(20_000);

  let isUpgraded = false;
  const write = async (): Promise<number> => {
    let statements = 0;
    for (; !isUpgraded; statements += 2) {
      await insertPosts(3);
      await pool.query(
        "UPDATE post SET type = 'photo', deleted_at = CASE WHEN id % 3 = 0 THEN now() END WHERE id = ANY(ARRAY(SELECT id FROM post ORDER BY random() LIMIT 3 FOR UPDATE SKIP LOCKED))",
      );
    }
    return statements;
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, write));
  await migrate((name) => !name.endsWith(FILL));
  await migrate((name) => name.endsWith(FILL));
  isUpgraded = true;
  expect(Math.min(...(await writers))).toBeGreaterThan(0);

  const rowsOf = async (text: string): Promise<unknown[]> => (await pool.query(text)).rows;
  expect(await rowsOf('SELECT FROM post_count_detail')).not.toEqual([]);
  expect(await rowsOf(KEPT_DETAILED_COUNTS)).toEqual(await rowsOf(ACTUAL_DETAILED_COUNTS));
  await pool.query("SELECT fold_post_counts('{wks}')");
  expect(await rowsOf(KEPT_DETAILED_COUNTS)).toEqual(await rowsOf(ACTUAL_DETAILED_COUNTS));
});
