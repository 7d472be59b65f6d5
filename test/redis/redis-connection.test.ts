import { aRedisConnection, measureRunningTime } from '../fixtures/redis-connection.js';
import { waitFor } from '../fixtures/wait-for.js';
import { aRedisServer, type RedisServer } from '../setup/redis.js';

const MAX_WAIT_MS = 250;
const UNAVAILABLE =
  /^Redis is unavailable \(.+\)\. Until it is back, each process counts requests separately/;
const AVAILABLE = /^Redis is available again/;

describe('a connection to Redis', () => {
  let redis: RedisServer;
  let connection: Awaited<ReturnType<typeof aRedisConnection>>;
  let losses = 0;
  const setKey = () => connection.run('a', (commands) => commands.set('a', '1'));
  beforeAll(async () => {
    redis = await aRedisServer();
  });
  beforeEach(async () => {
    connection = await aRedisConnection(redis);
    losses = 0;
    connection.onUnavailable(() => {
      losses += 1;
    });
  });
  afterEach(() => connection.close());
  afterAll(() => redis.close());

  it('runs commands and logs nothing', async () => {
    expect([await setKey(), connection.lines, losses]).toEqual(['OK', [], 0]);
  });

  it('waits at most 250 ms for a frozen Redis, only for commands in flight, and logs it once', async () => {
    redis.freeze();
    const first = await measureRunningTime(() => Promise.all(Array.from({ length: 50 }, setKey)));
    expect(first.result).toEqual(Array(50).fill(null));
    expect(first.ms).toBeLessThanOrEqual(MAX_WAIT_MS);
    let settled = 0;
    void setKey().then(() => {
      settled += 1;
    });
    await Promise.resolve()
      .then(() => undefined)
      .then(() => undefined);
    expect([settled, connection.lines, losses > 0]).toEqual([
      1,
      [expect.stringMatching(UNAVAILABLE)],
      true,
    ]);
    redis.thaw();
    await waitFor(async () => (await setKey()) === 'OK');
    expect(connection.lines).toEqual([
      expect.stringMatching(UNAVAILABLE),
      expect.stringMatching(AVAILABLE),
    ]);
  });

  it('does not wait for a stopped Redis, notices it without a command, and reconnects', async () => {
    await redis.stop();
    await waitFor(() => losses > 0);
    const { result, ms } = await measureRunningTime(setKey);
    expect([result, ms]).toEqual([null, 0]);
    await redis.start();
    await waitFor(async () => (await setKey()) === 'OK');
    expect(connection.lines).toEqual([
      expect.stringMatching(UNAVAILABLE),
      expect.stringMatching(AVAILABLE),
    ]);
  });

  it('opens while Redis is unavailable, and connects later', async () => {
    await redis.stop();
    const early = await aRedisConnection(redis);
    expect([await early.run('a', (commands) => commands.set('a', '1')), early.lines]).toEqual([
      null,
      [expect.stringMatching(/ECONNREFUSED/)],
    ]);
    await redis.start();
    await waitFor(() => early.lines.length === 2);
    expect(await early.run('a', (commands) => commands.set('a', '1'))).toBe('OK');
    early.close();
  });

  it('does not blame Redis for a blocked event loop', async () => {
    const response = setKey();
    const until = performance.now() + 2 * MAX_WAIT_MS;
    // blocks the process: timers are due, and the response is unread
    while (performance.now() < until);
    expect([await response, connection.lines]).toEqual(['OK', []]);
  });

  it('treats a Redis that rejects writes as unavailable', async () => {
    await connection.run('a', (commands) =>
      (commands as unknown as { config(...args: string[]): Promise<unknown> }).config(
        'SET',
        'maxmemory',
        '1',
      ),
    );
    expect(await setKey()).toBeNull();
    expect(connection.lines).toEqual([expect.stringMatching(/OOM/)]);
  });
});
