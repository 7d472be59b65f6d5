import { randomUUID } from 'node:crypto';
import type { SharedRateCounter } from '../services/access/rate-counters.js';
import { createScript, type RedisConnection } from './redis-connection.js';

/**
 * Increments the fixed window of a user by one request and reads the user's grants
 * version, atomically and on the clock of Redis (D37). The end of a window is fixed when it starts.
 * A server that took over, or that was restarted, may have lost the latest counts or the whole
 * window: it continues from the window that the caller knows, so that a failover does not reset any
 * budget. A grants version is unique and never reused; a missing one is created. If the caller
 * expects another version than the current one, nothing is counted. KEYS: the window.
 * ARGV: the length of the window in ms; the version to
 * use if there is none; the expected version, or * for any; the known count and its reset, or 0 and
 * 0. Returns the count (0 if nothing was counted), reset, now and version.
 */
const runIncrement = createScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local length = tonumber(ARGV[1])
local found = redis.call('HMGET', KEYS[1], 'reset', 'version', 'count')
local reset = tonumber(found[1] or 0)
local version = found[2]
local isOpen = now < reset and reset - now <= length
if not version then
  version = ARGV[2]
  redis.call('HSET', KEYS[1], 'version', version)
  if not isOpen then redis.call('PEXPIRE', KEYS[1], length) end
end
if ARGV[3] ~= '*' and ARGV[3] ~= version then return {0, 0, now, version} end
local count = isOpen and tonumber(found[3]) or 0
local known, knownReset = tonumber(ARGV[4]), tonumber(ARGV[5])
local isBehind = known > count and knownReset > now
if isOpen and not isBehind then
  return {redis.call('HINCRBY', KEYS[1], 'count', 1), reset, now, version}
end
count = (isBehind and known or count) + 1
if not isOpen then reset = isBehind and math.min(knownReset, now + length) or now + length end
redis.call('HSET', KEYS[1], 'count', count, 'reset', reset)
redis.call('PEXPIREAT', KEYS[1], reset)
return {count, reset, now, version}`);

/**
 * The field of a window that holds the grants version; deleting it invalidates the user's cached
 * grants.
 */
export const GRANTS_VERSION_FIELD = 'version';
/** First part of the keys: requests by user, failures by address. */
export type WindowKind = 'rate' | 'failures';

type Reply = [count: number, resetAt: number, now: number, grantsVersion: string];

interface RateWindowOptions {
  readonly windowMs: number;
}

/** Rate counter shared by all processes that use the same Redis. */
export function createRateWindows(
  redis: RedisConnection,
  kind: WindowKind,
  { windowMs }: RateWindowOptions,
): SharedRateCounter {
  const processId = randomUUID();
  let versionCount = 0;

  return {
    async increment(key, { known, grantsVersion: expected = '*' } = {}) {
      const keys = [redis.key(kind, key)];
      const args = [
        windowMs,
        `${processId}.${versionCount++}`,
        expected,
        known?.count ?? 0,
        known?.resetAt ?? 0,
      ];
      const reply = await runIncrement(redis, key, { keys, args });
      if (reply === null) return null;
      const [count, resetAt, now, grantsVersion] = reply as Reply;
      return {
        count,
        resetAt,
        now,
        grantsVersion,
      };
    },
  };
}
