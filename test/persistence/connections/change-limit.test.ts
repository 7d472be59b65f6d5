import pg from 'pg';
import { createDatabase, type Database } from '../../../src/persistence/database.js';
import { toCommitError } from '../../../src/persistence/sql.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const poolOf = (max: number): pg.Pool =>
  new pg.Pool({ connectionString: database.url, max, connectionTimeoutMillis: 500 });

/** Runs changes that wait until `finish` is called. */
function waitingChanges({ transaction }: Database, count: number) {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const outcomes = Array.from({ length: count }, () =>
    transaction(() => finished).then(
      () => 'saved',
      (error: Error) => error.message,
    ),
  );
  return { outcomes, finish };
}

describe('changes', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [10, 6],
  ])('of a pool of %s hold at most %s connections at the same time', async (max, held) => {
    const pool = poolOf(max);
    const database = createDatabase(pool);
    const { outcomes, finish } = waitingChanges(database, max + 2);
    await waitFor(async () => pool.totalCount - pool.idleCount === held && pool.waitingCount === 0);
    if (max > 1) expect(await database.scan('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    finish();
    expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => 'saved'));
    await pool.end();
  });

  it('that get no connection in time fail, and say that nothing was changed', async () => {
    const pool = poolOf(3);
    const database = createDatabase(pool);
    const { outcomes, finish } = waitingChanges(database, 3);
    expect(await outcomes[2]).toMatch(/Nothing was changed/);
    await expect(
      database.changeRecords(({ user }) => user.deleteMany({ where: {} })),
    ).rejects.toThrow(/Nothing was changed/);
    finish();
    expect(await Promise.all(outcomes.slice(0, 2))).toEqual(['saved', 'saved']);
    expect(await database.change('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('whose connection is lost during the commit say that they may have been saved', async () => {
    const pool = poolOf(3);
    pool
      .on('connect', (client) => client.on('error', () => undefined))
      .on('error', () => undefined);
    await database.pool.query('CREATE TABLE slow_commit (n int)');
    await database.pool.query(
      "CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); RETURN NULL; END'",
    );
    await database.pool.query(
      'CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON slow_commit DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit()',
    );
    const outcome = createDatabase(pool)
      .transaction((sql) => sql('INSERT INTO slow_commit VALUES (1)'))
      .catch((error: Error) => error.message);
    await waitFor(
      async () =>
        (
          await database.pool.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active' AND datname = current_database()",
          )
        ).rowCount === 1,
    );
    expect(await outcome).toMatch(
      /may have been saved: send it again with the same idempotency key/,
    );
    await pool.end();
  });

  it.each<[string, (client: pg.Client) => unknown]>([
    [
      'the server closes',
      (client) =>
        database.pool.query('SELECT pg_terminate_backend($1)', [Reflect.get(client, 'processID')]),
    ],
    ['breaks', (client) => client.connection.stream.destroy()],
  ])('of records whose connection %s may have been saved', async (_how, lose) => {
    const pool = poolOf(1);
    pool.on('error', () => undefined);
    const client = new Promise<pg.Client>((resolve) => void pool.once('acquire', resolve));
    const outcome = createDatabase(pool)
      .changeRecords((records) => records.$executeRaw`SELECT pg_sleep(30)`)
      .catch((error: Error) => error.message);
    await waitFor(
      async () =>
        (
          await database.pool.query(
            "SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)' AND state = 'active' AND datname = current_database()",
          )
        ).rowCount === 1,
    );
    lose(await client);
    expect(await outcome).toMatch(/it may have been saved/);
    await pool.end();
  });

  it('whose connection the network has cut may have been saved', () => {
    for (const code of ['ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE', 'ETIMEDOUT'])
      expect(toCommitError(Object.assign(new Error('no'), { code }))).toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringContaining('it may have been saved'),
      });
  });

  it('that fail otherwise do not', () => {
    expect(toCommitError(Object.assign(new Error('no'), { code: '23505' }))).toMatchObject({
      message: 'no',
    });
    expect(toCommitError(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The database is unavailable or busy. Retry later.',
    });
  });
});
