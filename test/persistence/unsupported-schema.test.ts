import pg from 'pg';
import { createDatabase, openDatabase } from '../../src/persistence/database.js';
import { MIGRATIONS_DIR } from '../../src/config/package-paths.js';
import { applyMigrations } from '../../src/persistence/migrations.js';
import { emptyDatabase } from '../setup/database.js';
import { silentLog } from '../setup/test-server.js';
import { forEachTest } from '../fixtures/lifecycle.js';

const MESSAGE =
  'The database has the schema of release 0.1.0, which 0.2.0 can neither read nor upgrade: start with an empty database (set DATABASE_URL or DATA_DIR to a new one)';
let pool: pg.Pool;
const database = forEachTest(() => emptyDatabase());
beforeEach(async () => {
  pool = new pg.Pool({ connectionString: database.url });
  await applyMigrations(createDatabase(pool), MIGRATIONS_DIR, silentLog);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const open = () =>
  openDatabase({ connectionString: database.url, poolSize: 1, log: silentLog }).then((opened) =>
    opened.close(),
  );
/** Replaces the migration records, as 0.1.0 or an operator would have left them. */
const record = async (names: readonly string[], state = 'finished_at = now()'): Promise<void> => {
  await pool.query('DELETE FROM _prisma_migrations');
  for (const name of names) {
    await pool.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES (gen_random_uuid(), '', $1)",
      [name],
    );
    await pool.query(`UPDATE _prisma_migrations SET ${state} WHERE migration_name = $1`, [name]);
  }
};

it('a database of this release can be opened', async () => {
  await expect(open()).resolves.toBeUndefined();
});

it.each([
  [['20261121000000_first_release']],
  [['20261121000000_first_release', '20261121150000_post_counts']],
  [['20261122000000_replaced_keys']],
])('a database of 0.1.0 is rejected: %j', async (names) => {
  await record(names);
  await expect(open()).rejects.toThrow(new Error(MESSAGE));
  await expect(applyMigrations(createDatabase(pool), MIGRATIONS_DIR, silentLog)).rejects.toThrow(
    new Error(MESSAGE),
  );
  expect(
    (await pool.query('SELECT migration_name AS name FROM _prisma_migrations ORDER BY name')).rows,
  ).toEqual(names.map((name) => ({ name })));
});

it('a database with a failed migration of 0.1.0 is rejected', async () => {
  await record(['20261121000000_first_release'], 'finished_at = NULL');
  await expect(open()).rejects.toThrow(new Error(MESSAGE));
});

it('a database whose migrations of 0.1.0 were rolled back can be opened', async () => {
  await record(['20261121000000_first_release'], 'rolled_back_at = now()');
  await expect(open()).resolves.toBeUndefined();
});
