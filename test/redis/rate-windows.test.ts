import { createRateWindows } from '../../src/redis/rate-windows.js';
import { aRedisConnection } from '../fixtures/redis-connection.js';
import { waitFor } from '../fixtures/wait-for.js';
import { testRedis, type TestRedis } from '../setup/redis.js';
import { aRedisCluster, type RedisCluster } from '../setup/redis-cluster.js';

const ANY_LENGTH = 120_000;
type Connection = Awaited<ReturnType<typeof aRedisConnection>>;

describe('windows in Redis', () => {
  let redis: TestRedis;
  let connections: Connection[];
  beforeAll(async () => {
    redis = await testRedis();
    connections = [await aRedisConnection(redis), await aRedisConnection(redis)];
  });
  afterAll(async () => {
    connections.forEach((connection) => connection.close());
    await redis.close();
  });
  const windowsOf = (length: number) =>
    connections.map((connection) => createRateWindows(connection, 'rate', { windowMs: length }));

  it('are shared by all processes, with the reset and the grants version of the first increment', async () => {
    const [one, other] = windowsOf(ANY_LENGTH);
    const first = (await one!.increment('usr_a'))!;
    expect(first).toEqual({
      count: 1,
      now: first.now,
      resetAt: first.now + ANY_LENGTH,
      grantsVersion: expect.any(String),
    });
    expect(await other!.increment('usr_a')).toEqual({
      ...first,
      count: 2,
      now: expect.any(Number),
    });
    expect(await one!.increment('usr_b')).toMatchObject({ count: 1 });
  });

  it('end at their reset time on the clock of Redis, independent of the number of increments', async () => {
    const [one] = windowsOf(300);
    const counts = [];
    do counts.push((await one!.increment('usr_short'))!);
    while (counts.at(-1)!.resetAt === counts[0]!.resetAt);
    const [first, next] = [counts[0]!, counts.at(-1)!];
    expect(counts.slice(0, -1).map(({ count }) => count)).toEqual(
      counts.slice(0, -1).map((_, index) => index + 1),
    );
    expect(counts.slice(0, -1).every(({ now }) => now < first.resetAt)).toBe(true);
    expect([next.count, next.now >= first.resetAt, next.resetAt]).toEqual([
      1,
      true,
      next.now + 300,
    ]);
  });

  it('count nothing if another grants version is expected, and return the current one', async () => {
    const [one] = windowsOf(ANY_LENGTH);
    const before = (await one!.increment('usr_version', { grantsVersion: '' }))!;
    expect(before.count).toBe(0);
    expect(
      await one!.increment('usr_version', { grantsVersion: before.grantsVersion }),
    ).toMatchObject({
      count: 1,
      grantsVersion: before.grantsVersion,
    });
    await connections[1]!.run('usr_version', (commands) =>
      commands.hdel(connections[1]!.key('rate', 'usr_version'), 'version'),
    );
    const after = (await one!.increment('usr_version', { grantsVersion: before.grantsVersion }))!;
    expect([after.count, after.grantsVersion === before.grantsVersion]).toEqual([0, false]);
    expect(
      await one!.increment('usr_version', { grantsVersion: after.grantsVersion }),
    ).toMatchObject({
      count: 2,
      grantsVersion: after.grantsVersion,
    });
  });

  it('continue from the known window if Redis has lost counts or the window', async () => {
    const [one] = windowsOf(ANY_LENGTH);
    const { resetAt, now } = (await one!.increment('usr_behind'))!;
    const known = { count: 7, resetAt };
    expect(await one!.increment('usr_behind', { known })).toMatchObject({ count: 8, resetAt });
    expect(await one!.increment('usr_behind', { known })).toMatchObject({ count: 9, resetAt });
    expect(await one!.increment('usr_lost', { known })).toMatchObject({ count: 8, resetAt });
    expect(await one!.increment('usr_lost')).toMatchObject({ count: 9, resetAt });
    const ended = { count: 7, resetAt: now };
    expect(await one!.increment('usr_ended', { known: ended })).toMatchObject({ count: 1 });
    const tooLong = { count: 7, resetAt: resetAt + ANY_LENGTH };
    const shortened = (await one!.increment('usr_too_long', { known: tooLong }))!;
    expect([shortened.count, shortened.resetAt - shortened.now]).toEqual([8, ANY_LENGTH]);
  });

  it('are deleted after their end', async () => {
    const [one] = windowsOf(50);
    await one!.increment('usr_expired');
    await one!.increment('usr_not_counted', { grantsVersion: '' });
    for (const user of ['usr_expired', 'usr_not_counted']) {
      await waitFor(
        async () =>
          (await connections[0]!.run(user, (commands) =>
            commands.hdel(connections[0]!.key('rate', user), 'version'),
          )) === 0,
      );
    }
  });
});

describe('windows in a cluster of three', () => {
  let cluster: RedisCluster;
  let connections: Connection[];
  beforeAll(async () => {
    cluster = await aRedisCluster({ masters: 3 });
    connections = [
      await aRedisConnection(cluster),
      await aRedisConnection({ url: cluster.masters[2]!.url + ',' + cluster.masters[0]!.url }),
    ];
  });
  afterAll(async () => {
    connections.forEach((connection) => connection.close());
    await cluster.close();
  });

  it('return the same counts as a single server, for users on every node', async () => {
    const windows = connections.map((connection) =>
      createRateWindows(connection, 'rate', { windowMs: ANY_LENGTH }),
    );
    const counted = (run: number) =>
      Promise.all(
        Array.from({ length: 30 }, (_, user) =>
          Promise.all(
            Array.from({ length: 20 }, (_, index) =>
              windows[index % 2]!.increment(`usr_${run}_${user}`),
            ),
          ),
        ),
      );
    // On a machine too busy to answer within 200 ms, a connection is briefly unavailable; another
    // test covers that.
    let [run, counts] = [0, await counted(0)];
    while (counts.flat().includes(null) && run < 5) {
      await waitFor(
        async () =>
          !(await Promise.all(windows.map((counter) => counter.increment('usr_probe')))).includes(
            null,
          ),
      );
      counts = await counted((run += 1));
    }
    for (const ofUser of counts) {
      expect(ofUser.map((result) => result?.count).sort((a, b) => a! - b!)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
      expect(new Set(ofUser.map((result) => result?.resetAt)).size).toBe(1);
    }
  });

  it('are unavailable while one of their nodes is, and then available again', async () => {
    const [windows, { lines }] = [
      createRateWindows(connections[0]!, 'rate', { windowMs: ANY_LENGTH }),
      connections[0]!,
    ];
    lines.length = 0;
    const users = Array.from({ length: 30 }, (_, index) => `usr_frozen_${index}`);
    const [, frozen] = cluster.masters;
    frozen!.freeze();
    const during = await Promise.all(users.map((user) => windows.increment(user)));
    frozen!.thaw();
    expect([during.some((result) => result === null), lines.length]).toEqual([true, 1]);
    await waitFor(async () =>
      (await Promise.all(users.map((user) => windows.increment(user)))).every(
        (result) => result !== null,
      ),
    );
    expect(lines).toEqual([
      expect.stringMatching(/is unavailable/),
      expect.stringMatching(/available again/),
    ]);
  });
});
