import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS_DIR } from '../../../src/config/package-paths.js';
import { openDatabase, type OpenDatabase } from '../../../src/persistence/database.js';
import { applyMigrations } from '../../../src/persistence/migrations.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { freePort } from '../../setup/free-port.js';
import { OWNER_ROLE, aPostgresServer, type PostgresServer } from '../../setup/postgres-server.js';
import { openTcpProxy, type TcpProxy } from '../../setup/tcp-proxy.js';
import { silentLog } from '../../setup/test-server.js';

/** Two servers behind proxies. Only one accepts changes, as in a cluster of a primary and a standby. */
let servers: PostgresServer[];
let proxies: TcpProxy[];
let closedPort: number;
let database: OpenDatabase | undefined;
beforeAll(async () => {
  servers = await Promise.all([aPostgresServer(), aPostgresServer()]);
  closedPort = await freePort();
});
beforeEach(async () => {
  proxies = await Promise.all(servers.map((server) => openTcpProxy(server.port())));
  await setReadOnly(1, true);
  await setReadOnly(0, false);
});
afterEach(async () => {
  await database?.close();
  database = undefined;
  await Promise.all(proxies.map((proxy) => proxy.close()));
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function setReadOnly(server: number, isReadOnly: boolean): Promise<void> {
  await servers[server]!.admin(
    `ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
    'SELECT pg_reload_conf()',
    ...(isReadOnly
      ? [`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${OWNER_ROLE}'`]
      : []),
  );
  const { scan, close } = await openDatabase({
    connectionString: servers[server]!.url(),
    poolSize: 1,
    log: silentLog,
  });
  const SHOW = "SELECT current_setting('default_transaction_read_only') = 'on' AS value";
  await waitFor(async () => (await scan<{ value: boolean }>(SHOW))[0]!.value === isReadOnly);
  await close();
}
/** What Patroni does: the primary closes all connections and accepts no changes any more. */
async function failOver(from: number, to: number): Promise<void> {
  await setReadOnly(from, true);
  await setReadOnly(to, false);
}

/** A URL with these ports, and a host on which nothing listens. */
function urlOf(...ports: readonly number[]): string {
  const hosts = [closedPort, ...ports].map((port) => `127.0.0.1:${port}`).join(',');
  return servers[0]!.url().replace(/127\.0\.0\.1:\d+/, hosts) + '&target_session_attrs=read-write';
}
async function open(): Promise<OpenDatabase> {
  const connectionString = urlOf(...proxies.map(({ port }) => port));
  database = await openDatabase({ connectionString, poolSize: 4, log: silentLog });
  return database;
}

const PORT = 'SELECT inet_server_port() AS port';
type Row = { port: number };
const kinds: Record<string, (database: OpenDatabase) => Promise<Row[]>> = {
  'a statement': ({ scan }) => scan<Row>(PORT),
  'a transaction': ({ transaction }) => transaction((sql) => sql<Row>(PORT)),
  'a statement of Prisma': ({ prisma }) =>
    prisma.$queryRaw<Row[]>`SELECT inet_server_port() AS port`,
};
const KINDS = Object.keys(kinds);

/** The index of the server that runs statements of a kind; the error if none does. */
const serverOf = (kind: string, of: OpenDatabase): Promise<number | string> =>
  kinds[kind]!(of).then(
    ([row]) => servers.findIndex((server) => server.port() === row!.port),
    (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
  );

it('chooses the server that accepts changes, wherever it is in the URL', async () => {
  for (const [first, second] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const connectionString = urlOf(servers[first]!.port(), servers[second]!.port());
    const { scan, close } = await openDatabase({ connectionString, poolSize: 4, log: silentLog });
    const ports = await Promise.all(Array.from({ length: 8 }, () => scan<Row>(PORT)));
    expect(new Set(ports.map(([row]) => row!.port))).toEqual(new Set([servers[0]!.port()]));
    await close();
  }
});

it.each(KINDS)(
  '%s runs on the new primary after a failover, and after the next one',
  async (kind) => {
    const opened = await open();
    expect(await serverOf(kind, opened)).toBe(0);
    await failOver(0, 1);
    expect(await serverOf(kind, opened)).toBe(1);
    await failOver(1, 0);
    expect(await serverOf(kind, opened)).toBe(0);
  },
);

it('migrations, LISTEN and the database probe use the new primary, too', async () => {
  const opened = await open();
  let [notified, connected] = [0, 0];
  const listener = opened.listen({
    channel: 'failover',
    applicationName: 'listener',
    onNotification: () => (notified += 1),
    onConnected: () => (connected += 1),
    onLost: () => undefined,
    intervals: { reconnectMs: 50, checkMs: 1_000, answerMs: 1_000 },
  });
  await waitFor(() => connected === 1);
  await failOver(0, 1);
  await waitFor(() => connected > 1);
  await servers[1]!.admin("SELECT pg_notify('failover', '')");
  await waitFor(() => notified === 1);
  expect(await applyMigrations(opened, MIGRATIONS_DIR, silentLog)).not.toEqual([]);
  await waitFor(() => opened.isResponsive());
  await listener.close();
});

it('requests fail at once while no server accepts changes, and say why', async () => {
  const opened = await open();
  await setReadOnly(0, true);
  const since = performance.now();
  expect(await serverOf('a statement', opened)).toMatch(/^UNAVAILABLE: /);
  expect(performance.now() - since).toBeLessThan(4_000);
  const connectionString = urlOf(...proxies.map(({ port }) => port));
  await expect(openDatabase({ connectionString, poolSize: 1, log: silentLog })).rejects.toThrow(
    `no server of DATABASE_URL accepts changes: 127.0.0.1:${closedPort}: connect ECONNREFUSED 127.0.0.1:${closedPort}; 127.0.0.1:${proxies[0]!.port} is read-only; 127.0.0.1:${proxies[1]!.port} is read-only`,
  );
  await setReadOnly(1, false);
  await waitFor(async () => (await serverOf('a statement', opened)) === 1);
});

it('the database probe fails although it takes no time while no server accepts changes', async () => {
  const opened = await open();
  expect(await opened.isResponsive()).toBe(true);
  await setReadOnly(0, true);
  await waitFor(async () => !(await opened.isResponsive()));
  // From now on the search for a server fails at once: within one turn of the event loop, which
  // counts as a busy one.
  for (let n = 0; n < 20; n++) expect(await opened.isResponsive()).toBe(false);
  await setReadOnly(1, false);
  await waitFor(() => opened.isResponsive());
});

it('a server that hangs holds up requests only in the first second', async () => {
  const opened = await open();
  await setReadOnly(0, true);
  proxies[1]!.goSilent();
  expect(await serverOf('a statement', opened)).toMatch(/^UNAVAILABLE: /);
  const since = performance.now();
  for (let n = 0; n < 20; n++)
    expect(await serverOf('a statement', opened)).toMatch(/^UNAVAILABLE: /);
  expect(performance.now() - since).toBeLessThan(4_000);
  await setReadOnly(0, false);
  await waitFor(async () => (await serverOf('a statement', opened)) === 0);
});

it.each(KINDS)('%s is not held up by a server that does not answer', async (kind) => {
  proxies[1]!.goSilent();
  const opened = await open();
  expect(await serverOf(kind, opened)).toBe(0);
});

it.each(KINDS)('%s leaves a primary that freezes for the new one', async (kind) => {
  const opened = await open();
  expect(await serverOf(kind, opened)).toBe(0);
  proxies[0]!.goSilent();
  await setReadOnly(1, false);
  const since = performance.now();
  for (let server: unknown; server !== 1; await sleep(20)) {
    server = await serverOf(kind, opened);
    expect(server === 1 || `${server}`.startsWith('UNAVAILABLE: ')).toBe(true);
    expect(performance.now() - since).toBeLessThan(20_000);
  }
});
