import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createDatabase } from '../../src/persistence/database.js';
import { applyMigrations, markRolledBack } from '../../src/persistence/migrations.js';
import { emptyDatabase } from '../setup/database.js';
import { silentLog } from '../setup/test-server.js';

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
  it('are applied once, in order, by three concurrent processes', async () => {
    const pools = [1, 2, 3].map(() => new pg.Pool({ connectionString: database.url }));
    const applied = await Promise.all(
      pools.map((concurrent) => applyMigrations(createDatabase(concurrent), dir, silentLog)),
    );
    await Promise.all(pools.map((concurrent) => concurrent.end()));
    expect(applied.flat()).toEqual(['1_first', '2_second']);
    expect((await pool.query('SELECT id FROM first')).rows).toEqual([{ id: 1 }]);
    expect(await records()).toEqual(
      ['1_first', '2_second'].map((name) => ({ name, finished: true, steps: 1, logs: null })),
    );
  });

  it('are not applied again; a new one is applied later', async () => {
    await applyMigrations(createDatabase(pool), dir, silentLog);
    expect(await applyMigrations(createDatabase(pool), dir, silentLog)).toEqual([]);
    write('3_third', 'ALTER TABLE first ADD name text');
    expect(await applyMigrations(createDatabase(pool), dir, silentLog)).toEqual(['3_third']);
  });

  it('are rolled back except for the record if one fails, and stop there until it is marked as rolled back', async () => {
    write('2_second', 'CREATE TABLE second (id int); SELECT 1/0;');
    write('3_third', 'CREATE TABLE third (id int);');
    await expect(applyMigrations(createDatabase(pool), dir, silentLog)).rejects.toThrow(
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
    await expect(applyMigrations(createDatabase(pool), dir, silentLog)).rejects.toThrow(
      'Migration 2_second failed earlier',
    );
    expect([
      await markRolledBack(createDatabase(pool), '1_first'),
      await markRolledBack(createDatabase(pool), 'none'),
      await markRolledBack(createDatabase(pool), '2_second'),
      await markRolledBack(createDatabase(pool), '2_second'),
    ]).toEqual([false, false, true, false]);
    write('2_second', 'CREATE TABLE second (id int);');
    expect(await applyMigrations(createDatabase(pool), dir, silentLog)).toEqual([
      '2_second',
      '3_third',
    ]);
  });

  it('that open a transaction themselves are rolled back too', async () => {
    write('2_second', 'BEGIN; CREATE TABLE second (id int); SELECT 1/0; COMMIT;');
    await expect(applyMigrations(createDatabase(pool), dir, silentLog)).rejects.toThrow(
      'Migration 2_second failed',
    );
    expect(await tableOf('second')).toBeNull();
  });

  it('of a later release with the same major version are a warning', async () => {
    write('3_third', 'CREATE TABLE third (id int);');
    await applyMigrations(createDatabase(pool), dir, silentLog);
    remove('2_second');
    remove('3_third');
    const warnings: string[] = [];
    expect(
      await applyMigrations(createDatabase(pool), dir, {
        ...silentLog,
        warn: (line) => warnings.push(line),
      }),
    ).toEqual([]);
    expect(warnings).toEqual([
      'A later release has migrated the database (2_second, 3_third); this build works with it. Finish the upgrade',
    ]);
  });

  it('of a later major version are rejected by builds of the earlier one, and not by its own', async () => {
    write('3_major_2', 'DROP TABLE second;');
    write('4_fourth', 'CREATE TABLE fourth (id int);');
    await applyMigrations(createDatabase(pool), dir, silentLog);
    remove('4_fourth');
    expect(await applyMigrations(createDatabase(pool), dir, silentLog)).toEqual([]);
    remove('3_major_2');
    await expect(applyMigrations(createDatabase(pool), dir, silentLog)).rejects.toThrow(
      'The database has the schema of a later major version (migration 3_major_2), which this build cannot use: run that version',
    );
  });

  it('log a warning if a file was edited after it was applied', async () => {
    await applyMigrations(createDatabase(pool), dir, silentLog);
    write('1_first', 'CREATE TABLE other (id int);');
    const warnings: string[] = [];
    expect(
      await applyMigrations(createDatabase(pool), dir, {
        ...silentLog,
        warn: (line) => warnings.push(line),
      }),
    ).toEqual([]);
    expect(warnings).toEqual([
      'Migration 1_first was edited after it was applied; the database keeps the earlier version',
    ]);
    expect(await tableOf('other')).toBeNull();
  });

  it('restore the statement timeout of the connection', async () => {
    await applyMigrations(createDatabase(pool), dir, silentLog);
    expect((await pool.query('SHOW statement_timeout')).rows).toEqual([
      { statement_timeout: '5s' },
    ]);
  });
});
