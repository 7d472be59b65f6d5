import { watchConnections } from '../../../src/persistence/connections/connection-watch.js';
import { Connection } from '../../../src/persistence/connections/connection.js';
import { setUpSession } from '../../../src/persistence/connections/session.js';
import { openDatabase, type OpenDatabase } from '../../../src/persistence/database.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { withDatabase } from '../../setup/database.js';
import { openTcpProxy, type TcpProxy } from '../../setup/tcp-proxy.js';
import { silentLog } from '../../setup/test-server.js';

let proxy: TcpProxy;
let database: OpenDatabase;
const direct = withDatabase();
afterEach(async () => {
  await database.close();
  await proxy.close();
});

function proxiedUrl(): string {
  const url = new URL(direct.url);
  url.host = `127.0.0.1:${proxy.port}`;
  return url.href;
}
async function openThroughProxy(options: { maxAnswerMs?: number } = {}): Promise<void> {
  proxy = await openTcpProxy(Number(new URL(direct.url).port));
  database = await openDatabase({
    connectionString: proxiedUrl(),
    poolSize: 6,
    log: silentLog,
    ...options,
  });
}

const outcomeOf = (start: () => Promise<unknown>): Promise<string> =>
  start().then(
    () => 'done',
    (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
  );
const UNAVAILABLE = /^UNAVAILABLE: /;
const slow = (seconds: number): Promise<unknown> => database.scan(`SELECT pg_sleep(${seconds})`);
const quick = (): Promise<unknown> => database.scan('SELECT 1');
/** Opens every connection of the pool. */
const fillPool = (): Promise<unknown> => Promise.all(Array.from({ length: 6 }, () => slow(0.1)));
/** Ends the server's side of the silent connections, as the loss of its host would. */
const endBackends = (): Promise<unknown> =>
  direct.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );

describe('connections to a server that does not answer any more', () => {
  const kinds: Record<string, () => Promise<unknown>> = {
    'a statement on the pool': quick,
    'a pipelined read': () => database.read('SELECT 1'),
    'a transaction': () => database.transaction((sql) => sql('SELECT 1')),
    'a statement of Prisma': () => database.prisma.$queryRaw`SELECT 1`,
  };

  it.each(Object.keys(kinds))(
    'are all closed once %s waits on one of them and the address leads to a server',
    async (kind) => {
      await openThroughProxy();
      await fillPool();
      proxy.goSilent();
      await endBackends();
      proxy.takeOver();
      const since = performance.now();
      expect(await outcomeOf(kinds[kind]!)).toMatch(UNAVAILABLE);
      expect(performance.now() - since).toBeLessThan(4_000);
      const [before, after] = [performance.now(), await outcomeOf(() => fillPool())];
      expect([after, performance.now() - before < 4_000]).toEqual(['done', true]);
    },
  );

  it('are closed although the server still has their backends, which wait for a statement', async () => {
    await openThroughProxy();
    await fillPool();
    proxy.goSilent();
    proxy.takeOver();
    expect(await outcomeOf(quick)).toMatch(UNAVAILABLE);
  });

  it('are closed while they are being opened', async () => {
    await openThroughProxy();
    await database.pool.query('SELECT 1');
    proxy.goSilent();
    const since = performance.now();
    const waiting = Array.from({ length: 6 }, () => outcomeOf(quick));
    await waitFor(() => proxy.unanswered() >= 5); // the pool opens five more
    proxy.takeOver();
    for (const outcome of await Promise.all(waiting)) expect(outcome).toMatch(UNAVAILABLE);
    expect(performance.now() - since).toBeLessThan(4_000); // less than the timeout of connecting
    expect(await outcomeOf(quick)).toBe('done');
  });

  it('are closed although an inquiry from before the failover is never answered', async () => {
    await openThroughProxy();
    const connection = new Connection({ connectionString: proxiedUrl() });
    connection.on('error', () => undefined); // the statement reports it
    await connection.connect();
    await setUpSession(connection);
    let inquiries = 0;
    const endWatch = watchConnections(new Set([connection]), {
      server: {
        readBackends: () =>
          ++inquiries === 1 ? new Promise(() => undefined) : Promise.resolve([]),
        cancel: async () => undefined,
      },
      maxAnswerMs: Infinity,
    });
    proxy.goSilent();
    expect(await outcomeOf(() => connection.query('SELECT 1'))).toMatch(/^ETIMEDOUT: /);
    expect(inquiries).toBe(2);
    endWatch();
  });

  it('are closed after the limit while no server answers', async () => {
    await openThroughProxy({ maxAnswerMs: 2_000 });
    await fillPool();
    proxy.goSilent();
    const since = performance.now();
    expect(await outcomeOf(quick)).toMatch(UNAVAILABLE);
    expect(performance.now() - since).toBeGreaterThan(1_500);
    proxy.takeOver();
  });
});

describe('a slow statement', () => {
  it('continues as long as the server works on it', async () => {
    await openThroughProxy();
    expect(await outcomeOf(() => slow(4))).toBe('done');
  });

  it('is canceled and its connection closed after the limit', async () => {
    await openThroughProxy({ maxAnswerMs: 1_000 });
    expect(await outcomeOf(() => slow(60))).toMatch(UNAVAILABLE);
    await waitFor(
      async () =>
        (
          await direct.pool.query(
            "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND state = 'active' AND pid <> pg_backend_pid()",
          )
        ).rows.length === 0,
    );
    expect(await outcomeOf(quick)).toBe('done');
  });

  it('has no limit in commands', async () => {
    await openThroughProxy({ maxAnswerMs: Infinity });
    const work = database.transaction(async (sql) => {
      await sql('SET LOCAL statement_timeout = 0');
      await sql('SELECT pg_sleep(3)');
    });
    expect(await outcomeOf(() => work)).toBe('done');
  });
});
