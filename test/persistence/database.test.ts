import { openDatabase } from '../../src/persistence/database.js';
import { inTransaction, run } from '../../src/persistence/sql.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../setup/database.js';
import { silent } from '../setup/test-server.js';

/** Looks again every few milliseconds until it is so; the test's own time limit ends it. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('an open database', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.drop());

  it('gives Prisma and hand-written SQL one pool', async () => {
    const [mine, others] = await Promise.all([
      db.pool.query(
        "SELECT current_database() AS name, current_setting('application_name') AS app, current_setting('statement_timeout') AS timeout",
      ),
      db.prisma.$queryRawUnsafe<{ name: string }[]>('SELECT current_database()::text AS name'),
    ]);
    expect(others[0]?.name).toBe(mine.rows[0].name);
    expect(mine.rows[0]).toMatchObject({ app: 'posts-gateway', timeout: '15s' });
  });

  it('prepares the statements that Prisma sends', async () => {
    const connection = await db.prisma.$transaction(async (tx) => {
      for (const turn of [1, 2]) await tx.$queryRawUnsafe('SELECT $1::int AS turn', turn);
      return tx.$queryRawUnsafe<{ name: string; statement: string }[]>(
        "SELECT name, statement FROM pg_prepared_statements WHERE statement LIKE '%AS turn%' AND statement NOT LIKE '%pg_prepared%'",
      );
    });
    expect(connection).toEqual([
      { name: expect.stringMatching(/^prisma_\d+$/), statement: 'SELECT $1::int AS turn' },
    ]);
  });

  it('says of a statement that was cut off that the database is away, whichever way it was sent', async () => {
    const cutOff = (start: () => Promise<unknown>): Promise<string> =>
      start().then(
        () => 'answered',
        (error: Error & { code?: string }) => error.code ?? error.message,
      );
    const sleeping = 'SELECT pg_sleep(20)';
    const both = Promise.all([
      cutOff(() => db.prisma.$queryRawUnsafe(sleeping)),
      cutOff(() => run(db.pool, sleeping)),
    ]);
    let cut = 0;
    await until(async () => {
      const { rowCount } = await db.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND pid <> pg_backend_pid() AND datname = current_database()",
      );
      cut += rowCount ?? 0;
      return cut === 2;
    });
    expect(await both).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
  });

  it('outlives the loss of a connection between two statements of a transaction, which then fails as away', async () => {
    const lost = inTransaction(db.pool, async (sql) => {
      const {
        rows: [mine],
      } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const ended = new Promise((resolve) => {
        sql.once('end', resolve);
      });
      await db.pool.query('SELECT pg_terminate_backend($1)', [mine!.pid]);
      await ended;
      await run(sql, 'SELECT 1');
    });
    await expect(lost).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await run(db.pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('closes twice without a complaint', async () => {
    const other = await emptyDatabase();
    const opened = await openDatabase({
      databaseUrl: other.url,
      dataDir: '',
      poolSize: 1,
      log: silent,
    });
    expect(opened).toMatchObject({ embedded: false, fresh: false });
    await opened.close();
    await opened.close();
    await other.drop();
  });

  it('says what is wrong with a server it cannot use, without the password', async () => {
    const refused = openDatabase({
      databaseUrl: 'postgresql://someone:secret@127.0.0.1:1/none',
      dataDir: '',
      poolSize: 1,
      log: silent,
    });
    const message = await refused.then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toBe('The database cannot be used: connect ECONNREFUSED 127.0.0.1:1');
  });
});
