import { requestAs, startGateways, type GatewayProcesses } from '../fixtures/gateway-processes.js';
import { waitFor } from '../fixtures/wait-for.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { testRedis } from '../setup/redis.js';
import { buildIfChanged, killStartedPrograms } from '../setup/started-program.js';
import { forAllTests } from '../fixtures/lifecycle.js';

/**
 * Four real processes and a real Redis, called over HTTP; changes are made with the real operator
 * commands.
 */
const PROCESSES = 4;
beforeAll(async () => {
  buildIfChanged();
  // Concurrent requests are counted, not rejected as overload, on any machine.
});
const redis = forAllTests(() => testRedis());
const gateways = forAllTests(() =>
  startGateways({ REDIS_URL: redis.url, REDIS_PREFIX: redis.prefix }, PROCESSES),
);
afterAll(async () => {
  await gateways.close();
  await redis.close();
  killStartedPrograms();
});

beforeEach(() => redisIsAvailable());

const statusOf = (answers: readonly Response[]): number[] => answers.map(({ status }) => status);
const each = (status: number): number[] => Array<number>(PROCESSES).fill(status);
const limits = ({ headers }: Response): (string | null)[] =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));

/** Makes every process cache the viewer's grant. */
async function cacheGrant(all: GatewayProcesses, viewer: KeyedViewer): Promise<void> {
  for (let times = 0; times < 3; times++)
    expect(statusOf(await all.requestEach(viewer))).toEqual(each(200));
}
/** Runs `work` while no table can be read or written. */
async function withoutTables<T>(work: () => Promise<T>): Promise<T> {
  await gateways.db.pool.query('ALTER SCHEMA public RENAME TO hidden');
  try {
    return await work();
  } finally {
    await gateways.db.pool.query('ALTER SCHEMA hidden RENAME TO public');
  }
}

describe('four processes on one Redis', () => {
  it('accept exactly 100 of 1,000 concurrent requests, and report one reset time', async () => {
    const answers = await whileRedisAnswers(async () => {
      const viewer = await gateways.records.aViewer();
      return Promise.all(
        Array.from({ length: 1_000 }, (_, index) =>
          requestAs(gateways.processes[index % PROCESSES]!, viewer),
        ),
      );
    });
    const [accepted, rejected] = [
      answers.filter(({ status }) => status === 200),
      answers.filter(({ status }) => status === 429),
    ];
    expect([accepted.length, rejected.length]).toEqual([100, 900]);
    expect(
      accepted
        .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 100 }, (_, left) => left));
    const resets = new Set(answers.map(({ headers }) => headers.get('x-ratelimit-reset')));
    expect(resets.size).toBe(1);
    for (const answer of rejected) expect(limits(answer)).toEqual(['100', '0', [...resets][0]]);
    const waits = rejected.map(({ headers }) => Number(headers.get('retry-after')));
    expect([Math.min(...waits) >= 60, Math.max(...waits) <= 120]).toEqual([true, true]);
  });

  it('reject with 429 without a database query', async () => {
    const viewer = await gateways.records.aViewer({ rateLimitOverride: 3 * PROCESSES });
    const uncached = await gateways.records.aViewer();
    await cacheGrant(gateways, viewer);
    expect(statusOf(await gateways.requestEach(viewer))).toEqual(each(429));
    const { limited, others } = await withoutTables(async () => ({
      limited: await gateways.requestEach(viewer),
      others: await gateways.requestEach(uncached),
    }));
    // users without a cached grant need the database
    expect([statusOf(limited), statusOf(others)]).toEqual([each(429), each(500)]);
  });

  it('apply an override within the window, from the next request', async () => {
    const viewer = await gateways.records.aViewer({ rateLimitOverride: 3 * PROCESSES });
    await cacheGrant(gateways, viewer);
    const before = await requestAs(gateways.processes[0]!, viewer);
    await gateways.cli('users', 'update', viewer.user.id, '--rate-limit', '50');
    const raised = await gateways.requestEach(viewer);
    expect([before.status, ...statusOf(raised)]).toEqual([429, ...each(200)]);
    expect(
      raised
        .map(limits)
        .map(([limit, left]) => `${left} of ${limit}`)
        .sort(),
    ).toEqual(['33 of 50', '34 of 50', '35 of 50', '36 of 50']);
    expect(new Set(raised.map((answer) => limits(answer)[2]))).toEqual(
      new Set([limits(before)[2]]),
    );
    await gateways.cli('users', 'update', viewer.user.id, '--rate-limit', '5');
    expect(statusOf(await gateways.requestEach(viewer))).toEqual(each(429));
    await gateways.cli('users', 'update', viewer.user.id, '--no-rate-limit');
    expect((await gateways.requestEach(viewer)).map((answer) => limits(answer)[0])).toEqual(
      Array(PROCESSES).fill('100'),
    );
  });

  it('reject a revoked key from the next request, without counting it', async () => {
    const [viewer, other] = await aUserWithTwoKeys();
    await cacheGrant(gateways, viewer);
    await gateways.cli('keys', 'revoke', viewer.key.id);
    for (let times = 0; times < 2; times++)
      expect(statusOf(await gateways.requestEach(viewer))).toEqual(each(401));
    expect(limits(await requestAs(gateways.processes[0]!, other))[1]).toBe(
      String(100 - 3 * PROCESSES - 1),
    );
  });

  it('reject a removed member from the next request, and accept a new member', async () => {
    const { workspace } = await gateways.records.aViewer();
    const viewer = await gateways.records.aViewer({ workspaceId: workspace.id, role: 'editor' });
    const member = ['--workspace', workspace.id, '--user', viewer.user.id];
    await cacheGrant(gateways, viewer);
    await gateways.cli('members', 'remove', ...member);
    expect(statusOf(await gateways.requestEach(viewer))).toEqual(each(403));
    await gateways.cli('members', 'add', ...member, '--role', 'viewer');
    expect(statusOf(await gateways.requestEach(viewer))).toEqual(each(200));
  });

  it('reject a user who left the business plan from the next request', async () => {
    const viewer = await gateways.records.aViewer();
    await cacheGrant(gateways, viewer);
    await gateways.cli('users', 'update', viewer.user.id, '--plan', 'professional');
    expect(statusOf(await gateways.requestEach(viewer))).toEqual(each(403));
  });

  it('show related records with their new names as soon as they are saved', async () => {
    const viewer = await gateways.records.aViewer({ rateLimitOverride: 1_000 });
    const workspaceId = viewer.workspace.id;
    const [account, label] = [
      await gateways.records.anAccount({ workspaceId, name: 'old' }),
      await gateways.records.aLabel({ workspaceId, name: 'old' }),
    ];
    await gateways.records.aPost({ by: viewer, account, labels: [label] });
    const query = `/graphql?query=${encodeURIComponent('{ posts { nodes { account { name } labels { name } user { name } } } }')}`;
    const shown = (): Promise<unknown[]> =>
      Promise.all(
        gateways.processes.map(
          async (one) =>
            (
              (await (await requestAs(one, viewer, query)).json()) as {
                data: { posts: { nodes: unknown[] } };
              }
            ).data.posts.nodes[0],
        ),
      );
    for (let round = 1; round <= 10; round++) {
      const name = `new ${round}`;
      await gateways.db.pool.query('UPDATE account SET name = $2 WHERE id = $1', [
        account.id,
        name,
      ]);
      await gateways.db.pool.query('UPDATE label SET name = $2, name_key = $2 WHERE id = $1', [
        label.id,
        name,
      ]);
      await gateways.db.pool.query('UPDATE app_user SET name = $2 WHERE id = $1', [
        viewer.user.id,
        name,
      ]);
      expect(await shown()).toEqual(
        Array(PROCESSES).fill({ account: { name }, labels: [{ name }], user: { name } }),
      );
    }
  });

  it('limit key guessing across all processes (D38)', async () => {
    const viewer = await gateways.records.aViewer();
    const guess = { ...viewer, apiKey: 'spk_live_guess' };
    const statuses: number[] = [];
    for (let times = 0; times < 8; times++)
      statuses.push(...statusOf(await gateways.requestEach(guess)));
    // The revoked key above failed eight times from this address.
    expect(statuses.filter((status) => status === 401)).toHaveLength(20 - 2 * PROCESSES);
    expect(statusOf(await gateways.requestEach(guess))).toEqual(each(429));
    expect(statusOf(await gateways.requestEach(viewer))).toEqual(each(200));
  });
});

/**
 * Repeats the work if Redis did not respond within 200 ms, which the processes log: then the count
 * proves nothing.
 */
async function whileRedisAnswers<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 5; tries++) {
    await redisIsAvailable();
    const before = logged();
    const result = await work();
    if (logged() === before) return result;
  }
  throw new Error(`Redis did not answer in time: ${logged()}`);
}

const logged = (): string => gateways.processes.map(({ errors }) => errors()).join('');
const redisIsAvailable = (): Promise<void> =>
  waitFor(
    () =>
      logged().split('Redis is unavailable').length ===
      logged().split('Redis is available again').length,
  );

async function aUserWithTwoKeys(): Promise<[KeyedViewer, KeyedViewer]> {
  const viewer = await gateways.records.aViewer();
  return [viewer, { ...viewer, apiKey: await gateways.records.aKey({ userId: viewer.user.id }) }];
}
