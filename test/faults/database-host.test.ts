import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenDatabase } from '../../src/persistence/database.js';
import { ownPacketFilter, type PacketFilter } from '../setup/packet-filter.js';
import { waitFor } from '../fixtures/wait-for.js';
import { buildIfChanged, killStartedPrograms } from '../setup/started-program.js';
import { suite } from '../setup/suite.js';
import { startDeployment, type Deployment } from './deployment.js';
import { createGatewayClient, type GatewayClient, type GatewayResponse } from './gateway-client.js';
import { MAX_RESPONSE_MS } from './response-rules.js';
import { createTestPosts, type TestPosts } from './test-posts.js';

/** Longer than clients, pools and statements wait, in the full run. */
const OUTAGE_MS = suite.length === 'full' ? 60_000 : 3_000;
const MAX_RECOVERY_MS = 5_000;
const MAX_JOB_RECOVERY_MS = 30_000;
/** Longer than a statement may take on the server and on the client. */
const MAX_STUCK_CHANGE_MS = 20_000;
/** Much longer than a change takes. */
const WAIT_MS = 1_000;
jest.setTimeout(180_000 + OUTAGE_MS);

let filter: PacketFilter | undefined;
let deployment: Deployment;
let testPosts: TestPosts;
let gatewayClient: GatewayClient;
beforeAll(async () => {
  buildIfChanged();
  filter = ownPacketFilter();
  deployment = await startDeployment({}, { filter });
  const database = await deployment.database();
  testPosts = await createTestPosts(database, { clients: 12, toDelete: 0 });
  await database.close();
  gatewayClient = createGatewayClient(
    deployment.gateways.map(({ url }) => url),
    testPosts.viewer,
  );
});
afterAll(async () => {
  await gatewayClient?.close();
  await deployment?.close();
  killStartedPrograms();
});

const GATEWAYS = [0, 1];
const read = (gateway: number): Promise<GatewayResponse> =>
  gatewayClient.send(gateway, { method: 'GET', path: '/v1/posts?limit=5' });
const change = (
  gateway: number,
  id: string,
  { text, key }: { text: string; key?: string },
): Promise<GatewayResponse> =>
  gatewayClient.send(gateway, {
    method: 'PUT',
    path: `/v1/posts/${id}`,
    headers: key ? { 'Idempotency-Key': key } : {},
    body: { post: { text } },
  });
const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;
const statuses = (path: string): Promise<number[]> =>
  Promise.all(
    [...deployment.gateways, ...deployment.workers].map(({ url }) => statusOf(url + path)),
  );
const duration = ({ startedAt, endedAt }: GatewayResponse): number => endedAt - startedAt;

/** Fills the pools of both gateways with idle connections. */
async function openConnections(): Promise<void> {
  await Promise.all(
    GATEWAYS.flatMap((gateway) => testPosts.byClient.map(() => gateway)).flatMap((gateway, n) => [
      read(gateway),
      change(gateway, testPosts.byClient[n % 12]!.scheduled[0]!, { text: `open ${n}` }),
    ]),
  );
}

function dieSilently(): void {
  deployment.proxy.goSilent();
  deployment.postgres.kill();
}
async function takeOver(): Promise<number> {
  const { postgres, proxy } = deployment;
  await postgres.start();
  proxy.forwardTo(postgres.port());
  proxy.takeOver();
  return performance.now();
}

/** Waits until the responses of each gateway are 200. Returns the milliseconds since `since`. */
async function recoveryMs(since: number): Promise<number> {
  const [id = ''] = testPosts.byClient[0]!.scheduled;
  for (const gateway of GATEWAYS)
    for (const attempt of [() => read(gateway), () => change(gateway, id, { text: 'recovered' })])
      while ((await attempt()).status !== 200 && performance.now() - since < 60_000)
        await sleep(50);
  return performance.now() - since;
}

async function jobMs(since: number): Promise<number> {
  const database = await deployment.database();
  const [id = ''] = testPosts.byClient[0]!.published;
  expect((await change(0, id, { text: `job ${since}` })).status).toBe(200);
  const isOpen = async (): Promise<boolean> =>
    (await database.pool.query("SELECT 1 FROM job WHERE status = 'working'")).rows.length > 0;
  while ((await isOpen()) && performance.now() - since < 90_000) await sleep(100);
  await database.close();
  return performance.now() - since;
}

describe('a database host that dies without a word', () => {
  it('costs 503 within 2 s, and nothing more once another host has its address', async () => {
    await openConnections();
    dieSilently();
    const diedAt = performance.now();
    await sleep(500);
    while (performance.now() - diedAt < OUTAGE_MS) {
      const responses = await Promise.all(
        GATEWAYS.flatMap((gateway) => [
          read(gateway),
          change(gateway, testPosts.byClient[gateway]!.scheduled[1]!, { text: 'outage' }),
        ]),
      );
      for (const response of responses) {
        expect([response.status, response.headers['retry-after']]).toEqual([503, '5']);
        expect(duration(response)).toBeLessThan(MAX_RESPONSE_MS);
      }
      expect([await statuses('/readyz'), await statuses('/healthz')]).toEqual([
        [503, 503, 503, 503],
        [200, 200, 200, 200],
      ]);
    }
    const since = await takeOver();
    const took = await recoveryMs(since);
    while (!(await statuses('/readyz')).every((status) => status === 200)) await sleep(50);
    const readyAfter = performance.now() - since;
    const jobAfter = await jobMs(since);
    suite.report(
      `silent for ${OUTAGE_MS} ms (${filter ? 'packets dropped' : 'by the proxy'}): served after ${Math.round(took)} ms, all ready after ${Math.round(readyAfter)} ms, a job after ${Math.round(jobAfter)} ms`,
    );
    expect(took).toBeLessThan(MAX_RECOVERY_MS);
    expect(readyAfter).toBeLessThan(MAX_RECOVERY_MS + 2_000);
    expect(jobAfter).toBeLessThan(MAX_JOB_RECOVERY_MS);
  });

  it('leaves no dead connection in a pool that was idle meanwhile', async () => {
    await openConnections();
    dieSilently();
    const since = await takeOver();
    expect(await recoveryMs(since)).toBeLessThan(MAX_RECOVERY_MS);
    const responses: number[] = [];
    for (let n = 0; n < 30; n++)
      for (const gateway of GATEWAYS) responses.push((await read(gateway)).status!);
    expect(new Set(responses)).toEqual(new Set([200]));
    expect(await jobMs(since)).toBeLessThan(MAX_JOB_RECOVERY_MS);
  });
});

describe('a synchronous standby that is away', () => {
  const setStandby = (names: string): Promise<void> =>
    deployment.postgres.admin(
      `ALTER SYSTEM SET synchronous_standby_names = '${names}'`,
      'SELECT pg_reload_conf()',
    );
  const changeEach = (ids: readonly string[]): Promise<GatewayResponse>[] =>
    ids.map((id) => change(0, id, { text: 'synchronous' }));
  const changeWithKeys = (ids: readonly string[]): Promise<GatewayResponse>[] =>
    ids.map((id) => change(0, id, { text: 'synchronous', key: `sync-${id}` }));

  const isWaitingForStandby = async ({ pool }: OpenDatabase, statement = ''): Promise<boolean> => {
    const { rowCount } = await pool.query(
      "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND starts_with(query, $1)",
      [statement],
    );
    return rowCount! > 0;
  };

  it('ends each change with 503, leaves connections for reads, and loses or doubles nothing', async () => {
    const ids = testPosts.byClient.map(({ scheduled }) => scheduled[2]!);
    const plain = ids.filter((_, n) => n % 2 === 1);
    const keyed = ids.filter((_, n) => n % 2 === 0);
    const database = await deployment.database();
    await setStandby('away');
    let isOver = false;
    const withoutKeys = changeEach(plain);
    await waitFor(() => isWaitingForStandby(database));
    // These take the connections that are left for changes.
    const changes = Promise.all([...withoutKeys, ...changeWithKeys(keyed)]).finally(() => {
      isOver = true;
    });
    const reads: GatewayResponse[] = [];
    while (!isOver) {
      reads.push(await read(0));
      await sleep(100);
    }
    for (const response of await changes) {
      expect([response.status, response.code]).toEqual([503, 'UNAVAILABLE']);
      expect(duration(response)).toBeLessThan(MAX_STUCK_CHANGE_MS);
    }
    const messages = (await changes).map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringContaining('it may have been saved'));
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Math.max(...reads.map(duration))).toBeLessThan(MAX_RESPONSE_MS);

    await setStandby('');
    await deployment.postgres.admin(
      "UPDATE idempotency SET started_at = started_at - interval '1 minute' WHERE outcome IS NULL",
    );
    const again = await Promise.all([...changeEach(plain), ...changeWithKeys(keyed)]);
    expect(again.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const { rows } = await database.pool.query(
      "SELECT count(*)::int AS changes FROM revision r JOIN post p ON p.id = r.post_id WHERE p.doc_id = ANY($1::text[]) AND r.changes ? 'text' GROUP BY r.post_id",
      [ids],
    );
    await database.close();
    expect(rows).toEqual(ids.map(() => ({ changes: 1 })));
  });

  it('has to return before a repeated change is acknowledged', async () => {
    const id = testPosts.byClient.at(-1)!.scheduled[0]!;
    const send = (): Promise<GatewayResponse> =>
      change(0, id, { text: 'recorded', key: 'recorded' });
    expect((await send()).status).toBe(200);
    const database = await deployment.database();
    await setStandby('away');
    try {
      let isAcknowledged = false;
      const repeated = send().finally(() => {
        isAcknowledged = true;
      });
      await waitFor(() => isWaitingForStandby(database, 'INSERT INTO idempotency'));
      await sleep(WAIT_MS);
      expect(isAcknowledged).toBe(false);
      await setStandby('');
      expect((await repeated).status).toBe(200);
    } finally {
      await setStandby('');
      await database.close();
    }
  });
});
