import { randomUUID } from 'node:crypto';
import { STREAM_LIMITS } from '../domain/events/stream-limits.js';
import type { SharedStreamCounts } from '../services/events/stream-slots.js';
import { createScript, type RedisConnection } from './redis-connection.js';

/**
 * Stores how many streams a process has for a key, in a field of the process, with the time until
 * which the number counts: that of a killed process ends by itself. KEYS: the streams of the key.
 * ARGV: the process, its number, the lease in ms, and the maximum over all processes or *. Returns
 * 0 if there would be more; nothing is stored then.
 */
const runReport = createScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HGETALL', KEYS[1])
local sum = tonumber(ARGV[2])
for i = 1, #stored, 2 do
  local count, ends = string.match(stored[i + 1], '^(%d+) (%d+)$')
  if tonumber(ends) <= now then redis.call('HDEL', KEYS[1], stored[i])
  elseif stored[i] ~= ARGV[1] then sum = sum + tonumber(count) end
end
if ARGV[4] ~= '*' and sum > tonumber(ARGV[4]) then return 0 end
if ARGV[2] == '0' then redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%s %.0f', ARGV[2], now + ARGV[3]))
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 1`);

/** Counts of open streams, shared by all processes that use the same Redis. */
export function createStreamCounts(redis: RedisConnection): SharedStreamCounts {
  const processId = randomUUID();
  return {
    async report(keyId, count, max) {
      const reply = await runReport(redis, keyId, {
        keys: [redis.key('streams', keyId)],
        args: [processId, count, STREAM_LIMITS.reportLeaseMs, max ?? '*'],
      });
      return reply === null ? null : reply === 1;
    },
  };
}
