import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS_DIR } from '../../src/config/package-paths.js';
import { openDatabase, type OpenDatabase } from '../../src/persistence/database.js';
import { applyMigrations } from '../../src/persistence/migrations.js';
import { createGatewayClient, type GatewayClient } from '../../test/faults/gateway-client.js';
import { anOperator } from '../../test/fixtures/operator.js';
import { recordsIn, type KeyedViewer } from '../../test/fixtures/records.js';
import { waitFor } from '../../test/fixtures/wait-for.js';
import { aWorkerProcess, type WorkerProcess } from '../../test/fixtures/worker-process.js';
import { CLOCK_AHEAD_SECONDS, inWholeSeconds, newKey } from '../../test/publishing/load.js';
import type { LoadAccount } from '../../test/publishing/post-record.js';
import { createManyRequest, postIdsOf } from '../../test/publishing/requests.js';
import { settle } from '../../test/publishing/settle.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
  type StartedProgram,
} from '../../test/setup/started-program.js';
import { silentLog } from '../../test/setup/test-server.js';
import { letTimePass } from './let-time-pass.js';
import { aPostgresCluster, DATA, type PostgresCluster } from './postgres-cluster.js';
import { keepNetwork, readNetwork, readResults } from './published-posts.js';
import { restoreDump, restoreToPointInTime, type Restore } from './restores.js';

jest.setTimeout(240_000);
const MINUTE_MS = 60_000;
/** Time from the backup to the failure, before which posts are published, and to the restore. */
const PUBLISHED_MINUTES = 15;
const AGE_MINUTES = 30;
/** Several checks of a worker for due posts, and one for pauses. */
const SWEEPS_MS = 6_000;

let cluster: PostgresCluster;
let database: OpenDatabase;
let accounts: LoadAccount[];
let owner: KeyedViewer;
let dataFolder: string;
const running: StartedProgram[] = [];

const open = (url: string): Promise<OpenDatabase> =>
  openDatabase({ connectionString: url, poolSize: 4, log: silentLog });

beforeAll(buildIfChanged);
beforeEach(async () => {
  [cluster, dataFolder] = [await aPostgresCluster(), DATA];
  database = await open(cluster.url('posts'));
  await applyMigrations(database, MIGRATIONS_DIR, silentLog);
  const records = recordsIn(database);
  const { id: workspaceId, ownerId: userId } = await records.aWorkspace();
  owner = await records.aViewer({ workspaceId, role: 'owner', userId });
  accounts = await Promise.all(
    (['exact', 'compared', 'cannot_tell'] as const).map(async (guarantee) => {
      const { id } = await records.anAccount({ workspaceId, network: 'threads', sandbox: true });
      await database.pool.query(
        'INSERT INTO sandbox_account (account_id, guarantee) VALUES ($1, $2::delivery_guarantee)',
        [id, guarantee],
      );
      return { id, guarantee };
    }),
  );
  await database.pool.query(
    'INSERT INTO sandbox_clock (workspace_id, ahead_seconds) VALUES ($1, $2)',
    [workspaceId, CLOCK_AHEAD_SECONDS],
  );
});
afterEach(async () => {
  killStartedPrograms();
  await Promise.all(running.splice(0).map(({ exit }) => exit));
  await database?.close();
  await cluster?.close(dataFolder);
});

/** A gateway that only serves requests, and its URL. */
async function startGateway(url: string): Promise<string> {
  const gateway = startProgram({ DATABASE_URL: url, PORT: '0', JOB_CONCURRENCY: '0' });
  running.push(gateway);
  await waitUntil(() => gateway.output().includes('REST v1'), gateway);
  return /http:\/\/[\d.]+:\d+/.exec(gateway.output())![0];
}
async function startWorker(url: string): Promise<WorkerProcess> {
  const worker = await aWorkerProcess({ DATABASE_URL: url });
  running.push(worker);
  return worker;
}

/** Schedules a post on each account, in so many minutes. */
async function schedule(client: GatewayClient, text: string, inMinutes: number): Promise<void> {
  const posts = accounts.map((account) => ({ account, text }));
  const scheduledAt = inWholeSeconds(Date.now() + inMinutes * MINUTE_MS);
  postIdsOf(await client.send(0, createManyRequest(posts, { scheduledAt, key: newKey() })));
}

/** Runs a worker until each post with one of these texts is published on each account. */
async function publish(texts: readonly string[]): Promise<void> {
  const worker = await startWorker(cluster.url('posts'));
  await waitFor(async () => {
    const results = Object.values(await readResults(database));
    return results.every((posts) => texts.every((text) => posts[text]?.[0] === 'published'));
  });
  await worker.kill();
}

const RESTORES: [string, Restore][] = [
  ['pg_dump and pg_restore', restoreDump],
  ['a base backup and the WAL archive, recovered to a point in time', restoreToPointInTime],
];

test.each(RESTORES)('%s: no post is lost or published twice', async (_, restore) => {
  const client = createGatewayClient([await startGateway(cluster.url('posts'))], owner);
  await schedule(client, 'published before', 2);
  await letTimePass(cluster, 'posts', 3);
  await publish(['published before']);
  await schedule(client, 'published since', 6);
  await schedule(client, 'due since', 25);
  await schedule(client, 'due later', 95);
  const backup = await restore.prepare(cluster);
  await schedule(client, 'created since the base backup', 12);
  const takenAt = await backup.take();
  await schedule(client, 'created after the backup', 8);
  await letTimePass(cluster, 'posts', PUBLISHED_MINUTES);
  const published = [
    'published since',
    'created since the base backup',
    'created after the backup',
  ];
  await publish(published);
  const network = await readNetwork(database);
  await client.close();
  await database.close();
  killStartedPrograms();

  const restored = await backup.restore(takenAt);
  dataFolder = restored.dataFolder;
  const url = cluster.url(restored.name);
  database = await open(url);
  await letTimePass(cluster, restored.name, PUBLISHED_MINUTES);
  await keepNetwork(database, network);
  await letTimePass(cluster, restored.name, AGE_MINUTES - PUBLISHED_MINUTES);
  const { cli, json } = anOperator(() => ({ DATABASE_URL: url }));
  const backupFrom = new Date(takenAt.getTime() - AGE_MINUTES * MINUTE_MS).toISOString();
  for (const command of restored.commands) {
    const words = command.map((word) => (word === restored.backupFrom ? backupFrom : word));
    // `doctor` fails if a job is late, for example the hourly purge.
    expect(await cli(...words)).toMatchObject({ err: '', out: expect.stringContaining('paused') });
  }

  const before = await readNetwork(database);
  const gateway = await startGateway(url);
  const worker = await startWorker(url);
  await waitUntil(() => worker.errors().includes('Publication is paused'), worker);
  await sleep(SWEEPS_MS);
  expect(await readNetwork(database)).toBe(before);
  expect(await json('publishing', 'status')).toEqual({
    pausedAt: expect.any(String),
    backupAt: expect.any(String),
    duePosts: 9,
    oldestDueAt: expect.any(String),
  });
  expect(await (await fetch(`${gateway}/readyz`)).json()).toMatchObject({
    checks: { publishing: 'paused' },
  });

  expect(await json('publishing', 'resume')).toMatchObject({ resumed: true, pausedAt: null });
  await settle(database);
  const results = (since: string, unsent: [string, number]) => ({
    'published before': ['published', 1],
    'published since': [since, 1],
    'created since the base backup': [since, 1],
    'created after the backup': [null, 1],
    'due since': unsent,
    'due later': [null, 0],
  });
  const found = results('published', ['published', 1]);
  const unknown = results('unconfirmed', ['unconfirmed', 0]);
  expect(await readResults(database)).toEqual({
    exact: found,
    compared: found,
    cannot_tell: unknown,
  });

  await worker.kill();
  await letTimePass(cluster, restored.name, 65);
  await startWorker(url);
  await waitFor(async () =>
    Object.values(await readResults(database)).every(
      (posts) => posts['due later']![0] === 'published',
    ),
  );
  const atTheEnd = { 'due later': ['published', 1], 'published before': ['published', 1] };
  expect(await readResults(database)).toMatchObject({
    exact: atTheEnd,
    compared: atTheEnd,
    cannot_tell: atTheEnd,
  });
});
