import pg from 'pg';
import { createDatabase } from '../../../src/persistence/database.js';
import { listenForJobs, WAKE_WORKERS } from '../../../src/persistence/jobs/job-wakeups.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { withDatabase } from '../../setup/database.js';
import { openTcpProxy, type TcpProxy } from '../../setup/tcp-proxy.js';
import { silentLog } from '../../setup/test-server.js';

const INTERVALS = { reconnectMs: 50, checkMs: 50, answerMs: 300 };
let proxy: TcpProxy;
let pool: pg.Pool;
let wakeups = 0;
let warnings: string[] = [];
let listener: { close(): Promise<void> };
const db = withDatabase();
beforeEach(async () => {
  [wakeups, warnings] = [0, []];
  const url = new URL(db.url);
  proxy = await openTcpProxy(Number(url.port || 5432));
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  pool = new pg.Pool({ connectionString: url.href, connectionTimeoutMillis: 500 });
  listener = listenForJobs(
    createDatabase(pool),
    () => {
      wakeups += 1;
    },
    { ...silentLog, warn: (message) => void warnings.push(message) },
    INTERVALS,
  );
  await waitFor(() => wakeups === 1); // once it listens
  warnings.length = 0; // of a slow first connection
});
afterEach(async () => {
  await proxy.close();
  await listener.close();
  await pool.end();
});

const wake = () => db.pool.query(`SELECT ${WAKE_WORKERS}`);
const listeners = async () =>
  (
    await db.pool.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'posts-gateway jobs' AND datname = current_database()",
    )
  ).rows;

test('a notification wakes the listener', async () => {
  await wake();
  await waitFor(() => wakeups === 2);
  expect(warnings).toEqual([]);
});

test('a connection that died without a word is noticed and replaced, reported once', async () => {
  proxy.freeze();
  const connections = jest.spyOn(pg.Client.prototype, 'connect');
  await waitFor(() => connections.mock.calls.length > 1); // the first reconnection failed too
  connections.mockRestore();
  proxy.thaw();
  await waitFor(() => wakeups === 2);
  await wake();
  await waitFor(() => wakeups === 3);
  expect(warnings).toEqual([
    'Lost the LISTEN connection; polling for new jobs until it is back: Query read timeout',
  ]);
  await waitFor(async () => (await listeners()).length === 1);
});

test('a connection that the server closes is replaced', async () => {
  const [{ pid }] = (await listeners()) as [{ pid: number }];
  await db.pool.query('SELECT pg_terminate_backend($1)', [pid]);
  await waitFor(() => wakeups === 2);
  await wake();
  await waitFor(() => wakeups === 3);
  expect(warnings).toHaveLength(1);
});

test('closing ends the connection, also while it is lost', async () => {
  proxy.freeze();
  await waitFor(() => warnings.length > 0);
  await listener.close();
  proxy.thaw();
  await waitFor(async () => (await listeners()).length === 0);
  expect(wakeups).toBe(1);
});
