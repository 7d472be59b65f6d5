import { createSandboxStore } from '../../src/persistence/networks/sandbox-store.js';
import { MIGRATIONS_DIR } from '../../src/config/package-paths.js';
import { openDatabase, type OpenDatabase } from '../../src/persistence/database.js';
import { applyMigrations } from '../../src/persistence/migrations.js';
import { requestAs } from '../../test/fixtures/gateway-processes.js';
import { aFileServer, servingSlowly } from '../../test/fixtures/file-server.js';
import { recordsIn, type KeyedViewer, type Records } from '../../test/fixtures/records.js';
import { waitFor } from '../../test/fixtures/wait-for.js';
import { aWorkerProcess, type WorkerProcess } from '../../test/fixtures/worker-process.js';
import { freePort } from '../../test/setup/free-port.js';
import { aPostgresServer, type PostgresServer } from '../../test/setup/postgres-server.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../../test/setup/started-program.js';
import { openTcpProxy, type TcpProxy } from '../../test/setup/tcp-proxy.js';
import { removeFolder, silentLog, temporaryFolder } from '../../test/setup/test-server.js';
import { startPrometheus, type Prometheus } from './prometheus.js';

jest.setTimeout(240_000);

/** 5 minutes of a rule take 2.5 s here. */
const FACTOR = 120;
const TIMEOUT_MS = 90_000;
const POLL_INTERVAL_MS = 250;
const REQUEST_INTERVAL_MS = 25;
const MINUTE_MS = 60_000;

const folder = temporaryFolder();
let postgres: PostgresServer;
let proxy: TcpProxy;
let database: OpenDatabase;
let records: Records;
let viewer: KeyedViewer;
let gatewayUrl: string;
let workerPort: number;
let worker: WorkerProcess;
let prometheus: Prometheus;
let traffic: NodeJS.Timeout;

const startWorker = (): Promise<WorkerProcess> =>
  aWorkerProcess({
    DATABASE_URL: postgres.url(proxy.port),
    METRICS_PORT: String(workerPort),
    NETWORKS_ALLOW_LOOPBACK: '1',
    LOG_LEVEL: 'fatal',
  });

const openWithoutProxy = (): Promise<OpenDatabase> =>
  openDatabase({ connectionString: postgres.url(), poolSize: 2, log: silentLog });

/** Waits until these alerts fire, with or without others. */
const alertsFire = (...alerts: string[]): Promise<void> =>
  firing((names) => alerts.every((alert) => names.includes(alert)), `${alerts.join(', ')} to fire`);
const noAlertFires = (): Promise<void> => firing((names) => names.length === 0, 'no alert');

async function firing(condition: (names: string[]) => boolean, what: string): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const names = await prometheus.firingAlerts();
    if (condition(names)) return;
    if (Date.now() > deadline) throw new Error(`waited for ${what}; firing: ${names.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

beforeAll(async () => {
  buildIfChanged();
  postgres = await aPostgresServer();
  proxy = await openTcpProxy(postgres.port());
  database = await openWithoutProxy();
  await applyMigrations(database, MIGRATIONS_DIR, silentLog);
  records = recordsIn(database);
  viewer = await records.aViewer();
  const metricsPort = await freePort();
  const gateway = startProgram({
    DATABASE_URL: postgres.url(proxy.port),
    PORT: '0',
    METRICS_PORT: String(metricsPort),
    JOB_CONCURRENCY: '0',
    RATE_LIMIT_REQUESTS: '1000000',
    NETWORKS_ALLOW_LOOPBACK: '1',
    LOG_LEVEL: 'fatal',
  });
  await waitUntil(() => gateway.output().includes('REST v1'), gateway);
  gatewayUrl = /http:\/\/[\d.]+:\d+/.exec(gateway.output())![0];
  workerPort = await freePort();
  worker = await startWorker();
  prometheus = await startPrometheus({
    folder,
    targets: [metricsPort, workerPort].map((port) => `127.0.0.1:${port}`),
    factor: FACTOR,
  });
  const send = (): void =>
    void requestAs({ url: gatewayUrl }, viewer).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
  traffic = setInterval(send, REQUEST_INTERVAL_MS);
});
afterAll(async () => {
  clearInterval(traffic);
  await prometheus?.stop();
  killStartedPrograms();
  await database?.close();
  await proxy?.close();
  await postgres?.close();
  removeFolder(folder);
});

it('no alert fires while nothing is wrong', async () => {
  const scrapes = 'min(count_over_time(up[30s])) > 20 and min(up) == 1';
  while ((await prometheus.query(scrapes)).length === 0)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  expect(await prometheus.firingAlerts()).toEqual([]);
});

it('PostgreSQL is killed and started again', async () => {
  await database.close();
  postgres.kill();
  await alertsFire('DatabaseUnavailable', 'RequestsFailFastBurn');
  await postgres.start();
  proxy.forwardTo(postgres.port());
  await noAlertFires();
  database = await openWithoutProxy();
  records = recordsIn(database);
});

it('the worker is killed while a post is due, and started again', async () => {
  await worker.kill();
  const account = await records.anAccount({ workspaceId: viewer.workspace.id, sandbox: true });
  const scheduledAt = new Date(Math.floor(Date.now() / 1000) * 1000 - 5 * MINUTE_MS);
  await records.aPost({ by: viewer, account, scheduledAt });
  await alertsFire('PostsNotPublished', 'ProcessDown');
  worker = await startWorker();
  await noAlertFires();
});

it('a network interrupts the connection while a post is published', async () => {
  const account = await records.anAccount({ workspaceId: viewer.workspace.id, sandbox: true });
  const scheduledAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000);
  const { id } = await records.aPost({ by: viewer, account, scheduledAt });
  await createSandboxStore(database).setFaults(
    id,
    { guarantee: 'cannot_tell', publish: { fault: 'cut_after', times: 1 } },
    new Date(),
  );
  await alertsFire('PublicationsUnconfirmed');
  await noAlertFires();
});

const IMPORT = 'mutation($urls: [String!]!) { importMedia(input: { urls: $urls }) { job { id } } }';
const MAX_LATE_MS = 3_000;

it('a workspace imports from a slow server: its jobs wait, and no post of others', async () => {
  const server = await aFileServer({ '/slow': servingSlowly });
  for (let call = 0; call < 40; call += 1) {
    const response = await fetch(`${gatewayUrl}/graphql`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer-API ${viewer.apiKey}`,
        'Service-Workspace-Id': viewer.workspace.id,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ query: IMPORT, variables: { urls: [`${server.url}/slow`] } }),
    });
    expect(((await response.json()) as any).data.importMedia.job).not.toBeNull();
  }
  await waitFor(() => server.requests.get('/slow') === 4);
  // as if they had been running for longer
  await database.pool.query(
    "UPDATE job SET due_at = due_at - interval '5 minutes' WHERE kind = 'media'",
  );
  const other = await records.aViewer();
  const account = await records.anAccount({ workspaceId: other.workspace.id, sandbox: true });
  const scheduledAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000);
  const post = await records.aPost({ by: other, account, scheduledAt });
  await waitFor(async () => {
    const response = await requestAs({ url: gatewayUrl }, other, `/v1/posts/${post.id}`);
    return ((await response.json()) as any).state === 'published_posted';
  });
  expect(Date.now() - scheduledAt.getTime()).toBeLessThan(MAX_LATE_MS);
  await alertsFire('JobsWaiting');
  expect(await prometheus.firingAlerts()).toEqual(['JobsWaiting']);
  await database.pool.query("DELETE FROM job WHERE kind = 'media'");
  server.close();
  await noAlertFires();
});
