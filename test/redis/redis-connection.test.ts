import { aLink, eventually, lived } from '../fixtures/redis-parts.js';
import { ownRedis, type OwnRedis } from '../setup/redis.js';

const LONGEST_WAIT_MS = 250;
const AWAY = /^Redis is away \(.+\): until it is back, each process counts requests for itself/;
const BACK = /^Redis is back/;

describe('a link to Redis', () => {
  let redis: OwnRedis;
  let link: Awaited<ReturnType<typeof aLink>>;
  let losses = 0;
  const ask = () => link.ask('a', (client) => client.set('a', '1'));
  beforeAll(async () => {
    redis = await ownRedis();
  });
  beforeEach(async () => {
    link = await aLink(redis);
    losses = 0;
    link.onAway(() => {
      losses += 1;
    });
  });
  afterEach(() => link.close());
  afterAll(() => redis.close());

  it('answers, and says nothing', async () => {
    expect([await ask(), link.lines, losses]).toEqual(['OK', [], 0]);
  });

  it('waits at most 250 ms where Redis is frozen, only for what is under way, and says so once', async () => {
    redis.freeze();
    const first = await lived(() => Promise.all(Array.from({ length: 50 }, ask)));
    expect(first.result).toEqual(Array(50).fill(null));
    expect(first.ms).toBeLessThanOrEqual(LONGEST_WAIT_MS);
    let settled = 0;
    void ask().then(() => {
      settled += 1;
    });
    await Promise.resolve()
      .then(() => undefined)
      .then(() => undefined);
    expect([settled, link.lines, losses > 0]).toEqual([1, [expect.stringMatching(AWAY)], true]);
    redis.thaw();
    await eventually(async () => (await ask()) === 'OK');
    expect(link.lines).toEqual([expect.stringMatching(AWAY), expect.stringMatching(BACK)]);
  });

  it('does not wait where Redis is stopped, notices it though nobody asks, and finds it again', async () => {
    await redis.stop();
    await eventually(() => losses > 0);
    const { result, ms } = await lived(ask);
    expect([result, ms]).toEqual([null, 0]);
    await redis.start();
    await eventually(async () => (await ask()) === 'OK');
    expect(link.lines).toEqual([expect.stringMatching(AWAY), expect.stringMatching(BACK)]);
  });

  it('opens though Redis is away, and is there when Redis is', async () => {
    await redis.stop();
    const early = await aLink(redis);
    expect([await early.ask('a', (client) => client.set('a', '1')), early.lines]).toEqual([
      null,
      [expect.stringMatching(/ECONNREFUSED/)],
    ]);
    await redis.start();
    await eventually(() => early.lines.length === 2);
    expect(await early.ask('a', (client) => client.set('a', '1'))).toBe('OK');
    early.close();
  });

  it('does not take its own lateness for Redis’s', async () => {
    const asked = ask();
    const until = performance.now() + 2 * LONGEST_WAIT_MS;
    while (performance.now() < until); // the process is busy: timers are due, and the answer lies there unread
    expect([await asked, link.lines]).toEqual(['OK', []]);
  });

  it('does without a Redis that refuses to write', async () => {
    await link.ask('a', (client) =>
      (client as unknown as { config(...args: string[]): Promise<unknown> }).config(
        'SET',
        'maxmemory',
        '1',
      ),
    );
    expect(await ask()).toBeNull();
    expect(link.lines).toEqual([expect.stringMatching(/OOM/)]);
  });
});
