import {
  openRedisState,
  AUTHENTICATION_TIMES,
  type RedisState,
} from '../../src/redis/shared-redis-state.js';
import { createStreamSlots } from '../../src/services/events/stream-slots.js';
import { STREAM_LIMITS } from '../../src/domain/events/stream-limits.js';
import { waitFor } from '../fixtures/wait-for.js';
import { testRedis } from '../setup/redis.js';
import { silentLog } from '../setup/test-server.js';
import { forEachTest } from '../fixtures/lifecycle.js';

let states: RedisState[];
const redis = forEachTest(() => testRedis());
beforeEach(async () => {
  const settings = { redisUrls: [redis.url], redisPrefix: redis.prefix };
  states = [
    await openRedisState(settings, silentLog, AUTHENTICATION_TIMES),
    await openRedisState(settings, silentLog, AUTHENTICATION_TIMES),
  ];
});
afterEach(async () => {
  states.forEach((state) => state.close());
  await redis.close();
});

test('two processes count the streams of a key together', async () => {
  const [first, second] = states.map(({ streams }) => createStreamSlots(streams));
  const opened = [];
  for (let n = 0; n < STREAM_LIMITS.perKey; n += 1)
    opened.push(await (n % 2 === 0 ? first! : second!).acquire('key_1'));
  expect(opened).toEqual(opened.map(() => true));
  expect([await first!.acquire('key_1'), await second!.acquire('key_1')]).toEqual([false, false]);
  expect(await second!.acquire('key_2')).toBe(true);
  first!.release('key_1');
  // reported in the background
  await waitFor(() => second!.acquire('key_1'));
  expect(await first!.acquire('key_1')).toBe(false);
  first!.close();
  second!.close();
});

test('the streams of a process that reports no more are not counted after its lease', async () => {
  const [first, second] = states.map(({ streams }) => streams!);
  expect(await first!.report('key_1', STREAM_LIMITS.perKey)).toBe(true);
  expect(await second!.report('key_1', 1, STREAM_LIMITS.perKey)).toBe(false);
  const startedAt = Date.now();
  await waitFor(async () => Boolean(await second!.report('key_1', 1, STREAM_LIMITS.perKey)));
  expect(Date.now() - startedAt).toBeLessThan(STREAM_LIMITS.reportLeaseMs + 15_000);
});
