import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { applyMigrations, markRolledBack } from '../../src/persistence/migrations.js';
import { emptyDatabase } from '../setup/database.js';
import { silent } from '../setup/test-server.js';

let dir: string;
let database: { url: string; drop(): Promise<void> };
let pool: pg.Pool;

const write = (name: string, sql: string): void => {
  mkdirSync(path.join(dir, name), { recursive: true });
  writeFileSync(path.join(dir, name, 'migration.sql'), sql);
};
const remove = (name: string): void => rmSync(path.join(dir, name), { recursive: true });
const records = async (): Promise<unknown[]> =>
  (
    await pool.query(
      'SELECT migration_name AS name, finished_at IS NOT NULL AS finished, applied_steps_count AS steps, logs FROM _prisma_migrations ORDER BY started_at, migration_name',
    )
  ).rows;
const tableOf = async (name: string): Promise<unknown> =>
  (await pool.query('SELECT to_regclass($1) AS found', [name])).rows[0].found;

beforeEach(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
  database = await emptyDatabase();
  pool = new pg.Pool({ connectionString: database.url, statement_timeout: 5_000 });
  write(
    '1_first',
    'CREATE TABLE first (id int);\nINSERT INTO first VALUES (1); -- a comment at the end',
  );
  write('2_second', 'CREATE TABLE second (id int);');
});
afterEach(async () => {
  await pool.end();
  await database.drop();
  rmSync(dir, { recursive: true });
});

describe('migrations', () => {
  it('are applied once by three that start at once, in order', async () => {
    const pools = [1, 2, 3].map(() => new pg.Pool({ connectionString: database.url }));
    const applied = await Promise.all(pools.map((one) => applyMigrations(one, dir, silent)));
    await Promise.all(pools.map((one) => one.end()));
    expect(applied.flat()).toEqual(['1_first', '2_second']);
    expect((await pool.query('SELECT id FROM first')).rows).toEqual([{ id: 1 }]);
    expect(await records()).toEqual(
      ['1_first', '2_second'].map((name) => ({ name, finished: true, steps: 1, logs: null })),
    );
  });

  it('do nothing the second time, and only the new one later', async () => {
    await applyMigrations(pool, dir, silent);
    expect(await applyMigrations(pool, dir, silent)).toEqual([]);
    write('3_third', 'ALTER TABLE first ADD name text');
    expect(await applyMigrations(pool, dir, silent)).toEqual(['3_third']);
  });

  it('leave nothing of one that fails but its record, and stop there from then on', async () => {
    write('2_second', 'CREATE TABLE second (id int); SELECT 1/0;');
    write('3_third', 'CREATE TABLE third (id int);');
    await expect(applyMigrations(pool, dir, silent)).rejects.toThrow(
      'Migration 2_second failed: division by zero',
    );
    expect([await tableOf('first'), await tableOf('second'), await tableOf('third')]).toEqual([
      'first',
      null,
      null,
    ]);
    expect(await records()).toEqual([
      { name: '1_first', finished: true, steps: 1, logs: null },
      { name: '2_second', finished: false, steps: 0, logs: '22012 division by zero' },
    ]);
    await expect(applyMigrations(pool, dir, silent)).rejects.toThrow(
      'Migration 2_second failed earlier',
    );
    expect([
      await markRolledBack(pool, '1_first'),
      await markRolledBack(pool, 'none'),
      await markRolledBack(pool, '2_second'),
      await markRolledBack(pool, '2_second'),
    ]).toEqual([false, false, true, false]);
    write('2_second', 'CREATE TABLE second (id int);');
    expect(await applyMigrations(pool, dir, silent)).toEqual(['2_second', '3_third']);
  });

  it('that open a transaction of their own are undone too', async () => {
    write('2_second', 'BEGIN; CREATE TABLE second (id int); SELECT 1/0; COMMIT;');
    await expect(applyMigrations(pool, dir, silent)).rejects.toThrow('Migration 2_second failed');
    expect(await tableOf('second')).toBeNull();
  });

  it('refuse a database that is newer than the code', async () => {
    await applyMigrations(pool, dir, silent);
    remove('2_second');
    await expect(applyMigrations(pool, dir, silent)).rejects.toThrow(
      'The database has migration 2_second, which this build does not know: it is newer than this code',
    );
  });

  it('warn of a file that was edited after it was applied', async () => {
    await applyMigrations(pool, dir, silent);
    write('1_first', 'CREATE TABLE other (id int);');
    const warnings: string[] = [];
    expect(
      await applyMigrations(pool, dir, { ...silent, warn: (line) => warnings.push(line) }),
    ).toEqual([]);
    expect(warnings).toEqual([
      'Migration 1_first was edited after it was applied; the database keeps the earlier form',
    ]);
    expect(await tableOf('other')).toBeNull();
  });

  it('leave the pool with its own statement timeout', async () => {
    await applyMigrations(pool, dir, silent);
    expect((await pool.query('SHOW statement_timeout')).rows).toEqual([
      { statement_timeout: '5s' },
    ]);
  });
});
