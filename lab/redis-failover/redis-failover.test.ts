import { Redis } from 'ioredis';
import { waitFor } from '../../test/fixtures/wait-for.js';
import { aRedisCluster, type RedisCluster } from '../../test/setup/redis-cluster.js';
import { aSentinelDeployment, type SentinelDeployment } from './redis-sentinel.js';
import { suite } from '../../test/setup/suite.js';
import { LIMIT, loadedGateways, type LoadedGateways, type LoadReport } from './loaded-gateways.js';

const PASSWORD = 'p,a/s#s';
const SENTINEL_PASSWORD = 's&p=1';
const USER = ['--user', 'gateway', 'on', `>${PASSWORD}`, '~posts-gateway:*', '+@all'];
const CREDENTIALS = `gateway:${encodeURIComponent(PASSWORD)}`;
const MAX_WAIT_MS = 250;
/** What a request takes besides its wait for Redis, on a busy machine. */
const MAX_WORK_MS = 250;

let gateways: LoadedGateways;

/** Clients saw no error, no long wait, and no window of more than twice the limit. */
function expectServed(report: LoadReport): void {
  const { statuses, mostAccepted, longestCountMs, longestRequestMs } = report;
  suite.report(
    `most accepted in a window: ${mostAccepted}; longest count ${longestCountMs} ms, longest request ${longestRequestMs} ms`,
  );
  expect([...statuses.keys()].sort()).toEqual([200, 429]);
  expect(mostAccepted).toBeGreaterThanOrEqual(LIMIT);
  expect(mostAccepted).toBeLessThanOrEqual(2 * LIMIT);
  expect(longestCountMs).toBeLessThanOrEqual(MAX_WAIT_MS);
  expect(longestRequestMs).toBeLessThanOrEqual(MAX_WAIT_MS + MAX_WORK_MS);
}
/** Soon after the load, the gateways count together again. */
const waitForSharedLimit = (): Promise<void> =>
  waitFor(async () => (await gateways.accepted(2 * LIMIT)) === LIMIT);

describe('two gateways under load, whose Redis is found by Sentinels', () => {
  let redis: SentinelDeployment;
  beforeAll(async () => {
    redis = await aSentinelDeployment({
      name: 'posts',
      settings: USER,
      password: 'servers',
      sentinelPassword: SENTINEL_PASSWORD,
    });
    const parameters = new URLSearchParams({ sentinelPassword: SENTINEL_PASSWORD });
    gateways = await loadedGateways(
      `redis+sentinel://${CREDENTIALS}@${redis.hosts}/posts?${parameters}`,
    );
  });
  afterAll(async () => {
    await gateways.close();
    await redis.close();
  });

  it.each<[string, (killed: Awaited<ReturnType<SentinelDeployment['master']>>) => unknown]>([
    ['is killed', (master) => master.stop()],
    ['freezes', (master) => master.freeze()],
    ['is replaced as planned', () => redis.failOver()],
  ])('keep the limits while the master %s', async (_, replace) => {
    const old = await redis.master();
    const report = await gateways.during(async () => {
      await replace(old);
      await waitFor(async () => (await redis.master()) !== old);
    });
    expectServed(report);
    await waitForSharedLimit();
  });
});

describe('two gateways under load on a cluster', () => {
  let redis: RedisCluster;
  beforeAll(async () => {
    redis = await aRedisCluster({
      masters: 3,
      hasReplicas: true,
      settings: [...USER, '--requirepass', 'servers', '--masterauth', 'servers'],
      password: 'servers',
    });
    const hosts = redis.masters.map(({ port }) => `127.0.0.1:${port}`).join(',');
    gateways = await loadedGateways(`redis+cluster://${CREDENTIALS}@${hosts}`);
  });
  afterAll(async () => {
    await gateways.close();
    await redis.close();
  });

  it.each<[string, number, (part: number) => unknown]>([
    ['is killed', 0, (part) => redis.masters[part]!.stop()],
    ['is replaced as planned', 1, (part) => onReplica(part, (one) => one.cluster('FAILOVER'))],
    ['freezes', 2, (part) => redis.masters[part]!.freeze()],
  ])('keep the limits while a master %s', async (_, part, replace) => {
    const report = await gateways.during(async () => {
      await replace(part);
      await waitFor(() =>
        onReplica(part, async (one) => (await one.info('replication')).includes('role:master')),
      );
    });
    expectServed(report);
    await waitForSharedLimit();
  });

  async function onReplica<T>(part: number, work: (client: Redis) => Promise<T>): Promise<T> {
    const client = new Redis(redis.replicas[part]!.port, '127.0.0.1', { password: 'servers' });
    return work(client).finally(() => client.disconnect());
  }
});
