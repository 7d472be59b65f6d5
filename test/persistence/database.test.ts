import { waitFor } from '../fixtures/wait-for.js';
import { openDatabase } from '../../src/persistence/database.js';
import { createStatementNames } from '../../src/persistence/sql.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../setup/database.js';
import { silentLog } from '../setup/test-server.js';

/** Polls until the condition is met; the time limit of the test bounds it. */
async function until(isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('statement names', () => {
  it('are the same in every process, and differ for each text', () => {
    const [one, other] = [createStatementNames('posts'), createStatementNames('posts')];
    expect(one('SELECT 1')).toBe('posts_4ATr1bVTKkuFmEpi-K1IqBqjRgwcoHcB84YTXXLN7PU');
    expect([other('SELECT 2'), other('SELECT 1')]).toEqual([one('SELECT 2'), one('SELECT 1')]);
    expect(one('SELECT 2')).not.toBe(one('SELECT 1'));
  });
});

describe('an open database', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.drop());

  it('shares one pool between Prisma and hand-written SQL', async () => {
    const [bySql, byPrisma] = await Promise.all([
      db.pool.query(
        "SELECT current_database() AS name, current_setting('application_name') AS app, current_setting('statement_timeout') AS timeout",
      ),
      db.prisma.$queryRawUnsafe<{ name: string }[]>('SELECT current_database()::text AS name'),
    ]);
    expect(byPrisma[0]?.name).toBe(bySql.rows[0].name);
    expect(bySql.rows[0]).toMatchObject({ app: 'posts-gateway', timeout: '15s' });
  });

  it('prepares the statements that Prisma sends', async () => {
    const connection = await db.prisma.$transaction(async (tx) => {
      for (const value of [1, 2])
        await tx.$queryRawUnsafe('SELECT $1::int AS prepared_value', value);
      return tx.$queryRawUnsafe<{ name: string; statement: string }[]>(
        "SELECT name, statement FROM pg_prepared_statements WHERE statement LIKE '%AS prepared_value%' AND statement NOT LIKE '%pg_prepared%'",
      );
    });
    expect(connection).toEqual([
      {
        name: expect.stringMatching(/^prisma_[\w-]{43}$/),
        statement: 'SELECT $1::int AS prepared_value',
      },
    ]);
  });

  it('reports a terminated statement as UNAVAILABLE, with Prisma and with SQL', async () => {
    const codeOf = (start: () => Promise<unknown>): Promise<string> =>
      start().then(
        () => 'completed',
        (error: Error & { code?: string }) => error.code ?? error.message,
      );
    const sleeping = 'SELECT pg_sleep(20)';
    const both = Promise.all([
      codeOf(() => db.prisma.$queryRawUnsafe(sleeping)),
      codeOf(() => db.scan(sleeping)),
    ]);
    let terminated = 0;
    await until(async () => {
      const { rowCount } = await db.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND pid <> pg_backend_pid() AND datname = current_database()",
      );
      terminated += rowCount ?? 0;
      return terminated === 2;
    });
    expect(await both).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
  });

  it('survives the loss of a connection inside a transaction, which then fails as UNAVAILABLE', async () => {
    const lost = db.transaction(async (sql) => {
      const [own] = await sql<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await db.pool.query('SELECT pg_terminate_backend($1)', [own!.pid]);
      await waitFor(
        async () =>
          (await db.pool.query('SELECT FROM pg_stat_activity WHERE pid = $1', [own!.pid]))
            .rowCount === 0,
      );
      await sql('SELECT 1');
    });
    await expect(lost).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await db.scan('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('can be closed twice', async () => {
    const other = await emptyDatabase();
    const opened = await openDatabase({
      connectionString: other.url,
      poolSize: 1,
      log: silentLog,
    });
    await opened.close();
    await opened.close();
    await other.drop();
  });

  it('refuses a database that is not encoded in UTF-8', async () => {
    const latin = await emptyDatabase("template0 ENCODING 'LATIN1' LOCALE 'C'");
    const refused = openDatabase({ connectionString: latin.url, poolSize: 1, log: silentLog });
    await expect(refused).rejects.toThrow(
      /^The database \w+ is encoded in LATIN1; UTF8 is required\. Create another one: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0$/,
    );
    await latin.drop();
  });

  it('reports why it cannot use a server, without the password', async () => {
    const refused = openDatabase({
      connectionString: 'postgresql://someone:secret@127.0.0.1:1/none',
      poolSize: 1,
      log: silentLog,
    });
    const message = await refused.then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toBe('Cannot use the database: connect ECONNREFUSED 127.0.0.1:1');
  });
});
