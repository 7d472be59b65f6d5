import { createRedisWindows } from '../../src/redis/rate-windows.js';
import { aLink, eventually } from '../fixtures/redis-parts.js';
import { ownCluster, testRedis, type TestRedis } from '../setup/redis.js';

const ANY_LENGTH = 120_000;
type Link = Awaited<ReturnType<typeof aLink>>;

describe('windows in Redis', () => {
  let redis: TestRedis;
  let links: Link[];
  beforeAll(async () => {
    redis = await testRedis();
    links = [await aLink(redis), await aLink(redis)];
  });
  afterAll(async () => {
    links.forEach((link) => link.close());
    await redis.close();
  });
  const windowsOf = (length: number) =>
    links.map((link) => createRedisWindows(link, 'rate', length));

  it('count for everybody together, with the reset and the epoch that the first was told', async () => {
    const [one, other] = windowsOf(ANY_LENGTH);
    const first = (await one!.take('usr_a'))!;
    expect(first).toEqual({
      count: 1,
      now: first.now,
      resetAt: first.now + ANY_LENGTH,
      epoch: expect.any(String),
    });
    expect(await other!.take('usr_a')).toEqual({ ...first, count: 2, now: expect.any(Number) });
    expect(await one!.take('usr_b')).toMatchObject({ count: 1 });
  });

  it('end when they were said to, by Redis’s clock, however often is asked meanwhile', async () => {
    const [one] = windowsOf(300);
    const told = [];
    do told.push((await one!.take('usr_short'))!);
    while (told.at(-1)!.resetAt === told[0]!.resetAt);
    const [first, next] = [told[0]!, told.at(-1)!];
    expect(told.slice(0, -1).map(({ count }) => count)).toEqual(
      told.slice(0, -1).map((_, index) => index + 1),
    );
    expect(told.slice(0, -1).every(({ now }) => now < first.resetAt)).toBe(true);
    expect([next.count, next.now >= first.resetAt, next.resetAt]).toEqual([
      1,
      true,
      next.now + 300,
    ]);
  });

  it('count nothing where another epoch is expected, and tell the one there is', async () => {
    const [one] = windowsOf(ANY_LENGTH);
    const before = (await one!.take('usr_epoch', ''))!;
    expect(before.count).toBe(0);
    expect(await one!.take('usr_epoch', before.epoch)).toMatchObject({
      count: 1,
      epoch: before.epoch,
    });
    await links[1]!.ask('usr_epoch', (client) =>
      client.hdel(links[1]!.key('rate', 'usr_epoch'), 'epoch'),
    );
    const after = (await one!.take('usr_epoch', before.epoch))!;
    expect([after.count, after.epoch === before.epoch]).toEqual([0, false]);
    expect(await one!.take('usr_epoch', after.epoch)).toMatchObject({
      count: 2,
      epoch: after.epoch,
    });
  });

  it('leave nothing behind when they are over', async () => {
    const [one] = windowsOf(50);
    await one!.take('usr_gone');
    await one!.take('usr_only_asked', '');
    for (const user of ['usr_gone', 'usr_only_asked']) {
      await eventually(
        async () =>
          (await links[0]!.ask(user, (client) =>
            client.hdel(links[0]!.key('rate', user), 'epoch'),
          )) === 0,
      );
    }
  });
});

describe('windows in a cluster of three', () => {
  let cluster: Awaited<ReturnType<typeof ownCluster>>;
  let links: Link[];
  beforeAll(async () => {
    cluster = await ownCluster(3);
    links = [
      await aLink(cluster),
      await aLink({ url: cluster.nodes[2]!.url + ',' + cluster.nodes[0]!.url }),
    ];
  });
  afterAll(async () => {
    links.forEach((link) => link.close());
    await cluster.close();
  });

  it('give the counts that one server gives, for users on every node', async () => {
    const windows = links.map((link) => createRedisWindows(link, 'rate', ANY_LENGTH));
    const counted = (run: number) =>
      Promise.all(
        Array.from({ length: 30 }, (_, user) =>
          Promise.all(
            Array.from({ length: 20 }, (_, index) =>
              windows[index % 2]!.take(`usr_${run}_${user}`),
            ),
          ),
        ),
      );
    // On a machine that is too busy for an answer within 200 ms, a link is away for a moment: that is another test's.
    let [run, counts] = [0, await counted(0)];
    while (counts.flat().includes(null) && run < 5) {
      await eventually(
        async () => !(await Promise.all(windows.map((one) => one.take('usr_look')))).includes(null),
      );
      counts = await counted((run += 1));
    }
    for (const ofUser of counts) {
      expect(ofUser.map((one) => one?.count).sort((a, b) => a! - b!)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
      expect(new Set(ofUser.map((one) => one?.resetAt)).size).toBe(1);
    }
  });

  it('are away with a node of theirs, and back with it', async () => {
    const [windows, { lines }] = [createRedisWindows(links[0]!, 'rate', ANY_LENGTH), links[0]!];
    lines.length = 0;
    const users = Array.from({ length: 30 }, (_, index) => `usr_frozen_${index}`);
    const [, frozen] = cluster.nodes;
    frozen!.freeze();
    const during = await Promise.all(users.map((user) => windows.take(user)));
    frozen!.thaw();
    expect([during.some((one) => one === null), lines.length]).toEqual([true, 1]);
    await eventually(async () =>
      (await Promise.all(users.map((user) => windows.take(user)))).every((one) => one !== null),
    );
    expect(lines).toEqual([expect.stringMatching(/away/), expect.stringMatching(/back/)]);
  });
});
