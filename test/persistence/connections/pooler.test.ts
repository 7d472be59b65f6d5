import { openDatabase, type OpenDatabase } from '../../../src/persistence/database.js';
import { MIGRATIONS_DIR } from '../../../src/config/package-paths.js';
import { withAdvisoryLock } from '../../../src/persistence/advisory-lock.js';
import { applyMigrations } from '../../../src/persistence/migrations.js';
import { cliDependencies, piped } from '../../fixtures/operator.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { runCli } from '../../../src/cli/run-command.js';
import { emptyDatabase } from '../../setup/database.js';
import { silentLog } from '../../setup/test-server.js';
import { startPgBouncer, type PgBouncer } from '../../setup/pgbouncer.js';

jest.setTimeout(300_000);

let empty: { url: string; drop(): Promise<void> };
let pooler: PgBouncer;
beforeAll(async () => {
  empty = await emptyDatabase();
});
afterAll(() => empty.drop());
afterEach(() => pooler.close());

const open = (directUrl?: string): Promise<OpenDatabase> =>
  openDatabase({ connectionString: pooler.url, directUrl, poolSize: 4, log: silentLog });
const refusal = (directUrl?: string): Promise<unknown> =>
  open(directUrl).catch((error: Error) => error.message);

const SETTINGS =
  "SELECT current_setting('statement_timeout') AS timeout, current_setting('plan_cache_mode') AS plans, current_setting('jit') AS jit, current_setting('random_page_cost') AS cost, current_setting('application_name') AS name";
const EXPECTED_SETTINGS = {
  timeout: '15s',
  plans: 'force_generic_plan',
  jit: 'off',
  cost: '1.1',
  name: 'posts-gateway',
};

describe('PgBouncer in session mode', () => {
  it('passes on the settings of each session, statements of each process and migrations', async () => {
    pooler = await startPgBouncer(empty.url, { mode: 'session' });
    const [first, second] = [await open(), await open()];
    await applyMigrations(first, MIGRATIONS_DIR, silentLog);
    for (const { scan } of [first, second])
      expect(await scan(SETTINGS)).toEqual([EXPECTED_SETTINGS]);
    expect(await second.prisma.user.count()).toBe(0);
    await first.close();
    const third = await open(); // gets the session that the first one left
    expect(await third.scan('SELECT 3 AS three')).toEqual([{ three: 3 }]);
    await second.close();
    await third.close();
  });
});

describe('PgBouncer in transaction mode, with a direct URL', () => {
  const start = async (): Promise<void> => {
    pooler = await startPgBouncer(empty.url, {
      mode: 'transaction',
      followsGuide: true,
      settings: ['default_pool_size = 2'],
    });
  };

  it('runs all kinds of statements of several processes in two sessions, unprepared', async () => {
    await start();
    const processes = [await open(empty.url), await open(empty.url)];
    const [first] = processes as [OpenDatabase, OpenDatabase];
    const { scan } = first;
    await applyMigrations(first, MIGRATIONS_DIR, silentLog);
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, n) => processes[n % 2]!).flatMap((database, n) => [
        database.scan('SELECT $1::int AS n', [n]),
        database.read('SELECT $1::int AS n', [n]),
        database.transaction(async (sql) => {
          await sql('CREATE TEMPORARY TABLE numbers ON COMMIT DROP AS SELECT $1::int AS n', [n]);
          return sql('SELECT n FROM numbers');
        }),
        database.prisma.$transaction((prisma) => prisma.$queryRaw`SELECT ${n}::int AS n`),
      ]),
    );
    expect(results.map((rows) => (rows as { n: number }[])[0]!.n)).toEqual(
      Array.from({ length: 40 }, (_, n) => [n, n, n, n]).flat(),
    );
    expect(await Promise.all(processes.map(({ prisma }) => prisma.user.count()))).toEqual([0, 0]);
    expect(await scan(SETTINGS)).toEqual([EXPECTED_SETTINGS]);
    expect(await scan('SELECT name FROM pg_prepared_statements')).toEqual([]);
    await Promise.all(processes.map((database) => database.close()));
  });

  it('listens and locks in sessions of its own', async () => {
    await start();
    const database = await open(empty.url);
    const { scan } = database;
    const received: string[] = [];
    let isConnected = false;
    const listener = database.listen({
      channel: 'pooled',
      applicationName: 'listener',
      onNotification: (payload) => received.push(payload),
      onConnected: () => (isConnected = true),
      onLost: () => undefined,
    });
    await waitFor(() => isConnected);
    await scan("SELECT pg_notify('pooled', 'a message')");
    await waitFor(() => received.length > 0);
    expect(received).toEqual(['a message']);
    const order: string[] = [];
    const lock = (name: string): Promise<unknown> =>
      withAdvisoryLock(database, 'lock', async () => {
        order.push(`${name} begins`);
        await scan('SELECT pg_sleep(0.2)');
        order.push(`${name} ends`);
      });
    await Promise.all([lock('first'), lock('second')]);
    expect([order[1], order[3]]).toEqual(order.filter((entry) => entry.endsWith('ends')));
    await listener.close();
    await database.close();
  });

  it('lets slow statements continue', async () => {
    await start();
    const { scan, close } = await open(empty.url);
    expect(await scan("SELECT 'done' AS outcome FROM pg_sleep(4)")).toEqual([{ outcome: 'done' }]);
    await close();
  });

  it('is refused if it does not set up sessions', async () => {
    pooler = await startPgBouncer(empty.url, { mode: 'transaction' });
    expect(await refusal(empty.url)).toMatch(
      /^Cannot use the database: the connection pooler does not set statement_timeout, .*connect_query/,
    );
  });

  it('is refused if the direct URL leads to it, too', async () => {
    await start();
    expect(await refusal(pooler.url)).toMatch(
      /DATABASE_DIRECT_URL must lead to PostgreSQL without/,
    );
  });
});

describe('PgBouncer in statement mode', () => {
  it('is refused with a direct URL, too', async () => {
    pooler = await startPgBouncer(empty.url, { mode: 'statement', followsGuide: true });
    expect(await refusal(empty.url)).toMatch(/allows no transactions/);
  });
});

describe.each(['transaction', 'statement'] as const)('PgBouncer in %s mode', (mode) => {
  it('is refused at the start, with the setting to change', async () => {
    pooler = await startPgBouncer(empty.url, { mode });
    expect(await refusal()).toMatch(
      /^Cannot use the database: a connection pooler in transaction or statement mode .*pool_mode = session.*DATABASE_DIRECT_URL/,
    );
  });

  it('is reported by doctor', async () => {
    pooler = await startPgBouncer(empty.url, { mode });
    const lines: string[] = [];
    const code = await runCli(
      ['doctor'],
      cliDependencies({ DATABASE_URL: pooler.url }, (line) => lines.push(line)),
      { out: (line) => lines.push(line), err: (line) => lines.push(line), input: piped('') },
    );
    expect([code, lines.join('\n')]).toEqual([1, expect.stringContaining('pool_mode = session')]);
  });
});
