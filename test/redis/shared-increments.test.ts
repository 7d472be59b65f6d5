import fc from 'fast-check';
import { createRateWindows, shareIncrements } from '../../src/redis/rate-windows.js';
import type { CountExpectations } from '../../src/services/access/rate-counters.js';
import { aRedisConnection } from '../fixtures/redis-connection.js';
import { testRedis, type TestRedis } from '../setup/redis.js';

const LENGTH = 120_000;
const USERS = ['a', 'b'] as const;

const aTurn = fc.record({
  /** How far ahead of Redis the process is, as after a failover. */
  ahead: fc.integer({ min: 0, max: 3 }),
  requests: fc.array(
    fc.record({
      user: fc.constantFrom(...USERS),
      expected: fc.constantFrom('any', 'current', 'outdated'),
    }),
    { maxLength: 12 },
  ),
});
type Turn = typeof aTurn extends fc.Arbitrary<infer T> ? T : never;

describe('increments of one turn of the event loop', () => {
  let redis: TestRedis;
  let connection: Awaited<ReturnType<typeof aRedisConnection>>;
  beforeAll(async () => {
    redis = await testRedis();
    connection = await aRedisConnection(redis);
  });
  afterAll(async () => {
    connection.close();
    await redis.close();
  });

  let runs = 0;
  /** The counts of the requests of each turn, by user and in ascending order. */
  async function countTurns(turns: readonly Turn[], sent: 'together' | 'one by one') {
    const windows = createRateWindows(connection, 'rate', { windowMs: LENGTH });
    const run = runs++;
    const first = await Promise.all(USERS.map((user) => windows.increment(`${user}${run}`)));
    const windowOf = (user: (typeof USERS)[number]) => first[USERS.indexOf(user)]!;
    const latest = new Map<string, number>(USERS.map((user) => [user, 1]));
    const counts = [];
    for (const { ahead, requests } of turns) {
      const calls = requests.map(({ user, expected }) => {
        const { resetAt, grantsVersion } = windowOf(user);
        const expectations: CountExpectations = {
          known: { count: latest.get(user)! + ahead, resetAt },
          grantsVersion: { any: undefined, current: grantsVersion, outdated: 'outdated' }[expected],
        };
        return async () => {
          const counted = await windows.increment(`${user}${run}`, expectations);
          expect(counted).toMatchObject({
            grantsVersion,
            resetAt: expected === 'outdated' ? 0 : resetAt,
          });
          return [user, counted!.count] as const;
        };
      });
      const results: (readonly [user: string, count: number])[] = [];
      if (sent === 'together') results.push(...(await Promise.all(calls.map((call) => call()))));
      else for (const call of calls) results.push(await call());
      for (const [user, count] of results) latest.set(user, Math.max(latest.get(user)!, count));
      counts.push(
        USERS.map((user) =>
          results
            .flatMap(([of, count]) => (of === user ? [count] : []))
            .sort((one, other) => one - other),
        ),
      );
    }
    return counts;
  }

  it('give each request the same place in the window as increments one by one', () =>
    fc.assert(
      fc.asyncProperty(fc.array(aTurn, { maxLength: 4 }), async (turns) => {
        expect(await countTurns(turns, 'together')).toEqual(await countTurns(turns, 'one by one'));
      }),
    ));

  it('are one increment for each user and expected grants version', async () => {
    const sent: [key: string, requests: number, CountExpectations][] = [];
    const counts = new Map<string, number>();
    const increment = shareIncrements(async (key, requests, expectations) => {
      sent.push([key, requests, expectations]);
      const count = (counts.get(key) ?? 0) + requests;
      counts.set(key, count);
      return { count, resetAt: LENGTH, now: 0, grantsVersion: 'v1' };
    });
    const [older, newer] = [
      { count: 1, resetAt: LENGTH },
      { count: 2, resetAt: LENGTH },
    ];
    const results = await Promise.all([
      increment('a', { grantsVersion: 'v1', known: older }),
      increment('b'),
      increment('a', { grantsVersion: 'v1', known: newer }),
      increment('a', { grantsVersion: 'v2' }),
      increment('a', { grantsVersion: 'v1' }),
    ]);
    expect(sent).toEqual([
      ['a', 3, { grantsVersion: 'v1', known: newer }],
      ['b', 1, {}],
      ['a', 1, { grantsVersion: 'v2' }],
    ]);
    expect(results.map((result) => result?.count)).toEqual([1, 1, 2, 4, 3]);
    expect(await increment('a')).toMatchObject({ count: 5 });
    expect(sent).toHaveLength(4);
  });

  it('are all unavailable if the counter is', async () => {
    const increment = shareIncrements(async () => null);
    expect(await Promise.all([increment('a'), increment('a')])).toEqual([null, null]);
  });
});
