import { setTimeout as sleep } from 'node:timers/promises';
import { measureRunningTime } from '../../test/fixtures/redis-connection.js';
import { waitFor } from '../../test/fixtures/wait-for.js';
import {
  CHANGES,
  READS,
  replicatedGateways,
  type PostRequest,
  type ReplicatedGateways,
} from './replicated-gateways.js';

const CLIENTS = 8;
/** Longer than the maximum lag. */
const IDLE_MS = 3_000;
/** Several times the pause between two questions to a replica. */
const PROMOTED_MS = 1_500;
/** Much longer than a read takes; the gateways give a replica up within a second. */
const MAX_READ_MS = 15_000;
/** The maximum lag of these gateways. */
const MAX_LAG_MS = 1_000;
/** The gateways leave a replica out within a second; the rest is for a busy machine. */
const MAX_LEFT_OUT_MS = 10_000;
/** A change waits for at least this long for a replica that is away, if Redis is, too. */
const MIN_CHANGE_MS = MAX_LAG_MS + 1_000;
const MAX_CHANGE_MS = MAX_LAG_MS + 15_000;

let servers: ReplicatedGateways;
let post: PostRequest;

beforeAll(async () => {
  servers = await replicatedGateways({ maxLagMs: MAX_LAG_MS, listsPrimary: true });
  const as = await servers.records.aViewer();
  const { id } = await servers.records.aPost({ by: as, text: 'Text' });
  post = { as, id };
});
afterAll(() => servers?.close());

/** Clients read during the work. Every read must succeed. Returns the longest duration, in ms. */
async function whileReading(work: () => Promise<void>): Promise<number> {
  let isOver = false;
  let longestMs = 0;
  const readOften = async (n: number): Promise<void> => {
    const reads = Object.values(READS);
    for (let round = n; !isOver; round++) {
      const startedAt = performance.now();
      expect(await reads[round % reads.length]!(servers.gateways[round % 2]!, post)).toBe('Text');
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, n) => readOften(n));
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  return longestMs;
}
/** How long the gateways take until they use no replica any more, in ms. */
async function timeUntilLeftOut(): Promise<number> {
  const { ms } = await measureRunningTime(() => servers.waitUntilUsed(false));
  return ms;
}
const replicaOf = () => servers.cluster.replicas[0]!;
const timesRedisBack = (): number =>
  servers.logged.filter((line) => line.startsWith('Redis is available again')).length;

test('a listed server that is the primary is no replica, and counts as none that is left out', async () => {
  await servers.waitUntilUsed(true); // the metric has only the replica
  for (const gateway of servers.gateways) expect(await READS.query(gateway, post)).toBe('Text');
  await sleep(PROMOTED_MS);
  await servers.waitUntilUsed(true);
  const { host } = new URL(servers.cluster.url);
  expect(servers.logged).not.toContain(`The read replica ${host} is used again`);
});

test('leaves out a replica that is behind, and uses it again', async () => {
  const replica = replicaOf();
  const other = await servers.records.aViewer({
    workspaceId: post.as.workspace.id,
    role: 'admin',
  });
  const asOther = { ...post, as: other };
  await servers.waitUntilUsed(true);
  expect(await READS.query(servers.gateways[0], asOther)).toBe('Text');
  await replica.catchUp();
  const { host } = new URL(replica.url);
  const waitUntilLogged = (what: string): Promise<void> =>
    waitFor(() =>
      servers.logged.some((line) => line.startsWith(`The read replica ${host} is ${what}`)),
    );
  await replica.pause();
  try {
    await CHANGES.put(servers.gateways[0], post, 'Changed');
    expect(await timeUntilLeftOut()).toBeLessThan(MAX_LAG_MS + MAX_LEFT_OUT_MS);
    expect(await READS.query(servers.gateways[0], asOther)).toBe('Changed');
    // that it is behind, or, on a busy machine, that it did not answer in time
    await waitUntilLogged('not used: ');
  } finally {
    await replica.resume();
  }
  await servers.waitUntilUsed(true);
  await waitUntilLogged('used again');
  await CHANGES.put(servers.gateways[0], post, 'Text');
  await replica.catchUp();
});

test('uses a replica while the primary is idle', async () => {
  const { primary } = servers.cluster;
  const timesBehind = (): number =>
    servers.logged.filter((line) => line.endsWith('behind the primary')).length;
  const before = timesBehind();
  await primary.admin('posts', 'SELECT pg_switch_wal()');
  await sleep(IDLE_MS);
  await servers.waitUntilUsed(true);
  expect(timesBehind()).toBe(before);
});

test('answers every read while a replica freezes', async () => {
  const replica = replicaOf();
  await servers.waitUntilUsed(true);
  const longestMs = await whileReading(async () => {
    await replica.signal('SIGSTOP');
    expect(await timeUntilLeftOut()).toBeLessThan(MAX_LEFT_OUT_MS);
    await replica.signal('SIGCONT');
    await servers.waitUntilUsed(true);
  });
  expect(longestMs).toBeLessThan(MAX_READ_MS);
});

test('answers every read while a replica is killed and started again', async () => {
  const replica = replicaOf();
  await servers.waitUntilUsed(true);
  const longestMs = await whileReading(async () => {
    await replica.signal('SIGKILL');
    expect(await timeUntilLeftOut()).toBeLessThan(MAX_LEFT_OUT_MS);
    await replica.start();
    await servers.waitUntilUsed(true);
  });
  expect(longestMs).toBeLessThan(MAX_READ_MS);
});

test('answers every read while a replica closes connections', async () => {
  const replica = replicaOf();
  await servers.waitUntilUsed(true);
  const longestMs = await whileReading(async () => {
    for (let n = 0; n < 20; n++)
      await replica.admin(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'posts-gateway'",
      );
  });
  expect(longestMs).toBeLessThan(MAX_READ_MS);
  await servers.waitUntilUsed(true);
});

test('without Redis, changes do not wait for a listed server that is the primary', async () => {
  await servers.waitUntilUsed(true);
  await replicaOf().catchUp(); // it may have been restarted, and connect to the primary late
  const before = timesRedisBack();
  await servers.redis.stop();
  try {
    const { ms } = await measureRunningTime(() =>
      CHANGES.put(servers.gateways[0], post, 'Changed'),
    );
    expect(ms).toBeLessThan(MIN_CHANGE_MS);
    for (const gateway of servers.gateways)
      expect(await READS.query(gateway, post)).toBe('Changed');
  } finally {
    await servers.redis.start();
  }
  await waitFor(() => timesRedisBack() >= before + 2);
  await CHANGES.put(servers.gateways[0], post, 'Text');
  await replicaOf().catchUp();
});

test('acknowledges changes while a replica and Redis are away', async () => {
  const replica = replicaOf();
  await servers.waitUntilUsed(true);
  const before = timesRedisBack();
  await replica.signal('SIGSTOP');
  await servers.redis.stop();
  try {
    const startedAt = performance.now();
    await CHANGES.put(servers.gateways[0], post, 'Changed');
    const changeMs = performance.now() - startedAt;
    expect(changeMs).toBeGreaterThan(MIN_CHANGE_MS);
    expect(changeMs).toBeLessThan(MAX_CHANGE_MS);
    for (const gateway of servers.gateways)
      expect(await READS.query(gateway, post)).toBe('Changed');
  } finally {
    await replica.signal('SIGCONT');
    await servers.redis.start();
  }
  await waitFor(() => timesRedisBack() >= before + 2);
  await servers.waitUntilUsed(true);
  await CHANGES.put(servers.gateways[0], post, 'Text');
  await replica.catchUp();
});

test('does not read a server that was promoted', async () => {
  const timesUsedAgain = (): number =>
    servers.logged.filter((line) => line.endsWith('is used again')).length;
  await servers.waitUntilUsed(true);
  await whileReading(async () => {
    await replicaOf().promote();
    await servers.waitUntilUsed(false);
  });
  const before = timesUsedAgain();
  await sleep(PROMOTED_MS);
  expect(timesUsedAgain()).toBe(before);
  for (const gateway of servers.gateways) {
    const { status, body } = await gateway.request('/readyz');
    expect({ status, body }).toMatchObject({ status: 200 });
  }
});
