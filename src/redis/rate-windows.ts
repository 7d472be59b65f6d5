import { randomUUID } from 'node:crypto';
import type {
  CountExpectations,
  SharedRateCounter,
  SharedWindowCount,
} from '../services/access/rate-counters.js';
import { createScript, type RedisConnection } from './redis-connection.js';

/**
 * Increments the fixed window of a user by a number of requests and reads the user's grants
 * version, atomically and on the clock of Redis (D37). The end of a window is fixed when it starts.
 * A server that took over, or that was restarted, may have lost the latest counts or the whole
 * window: it continues from the window that the caller knows, so that a failover does not reset any
 * budget. A grants version is unique and never reused; a missing one is created. If the caller
 * expects another version than the current one, nothing is counted. KEYS: the window.
 * ARGV: the length of the window in ms; the version to
 * use if there is none; the expected version, or * for any; the known count and its reset, or 0 and
 * 0; the number of requests. Returns the count of the last request (0 if nothing was counted), reset,
 * now and version.
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
local requests = tonumber(ARGV[6])
local isBehind = known > count and knownReset > now
if isOpen and not isBehind then
  return {redis.call('HINCRBY', KEYS[1], 'count', requests), reset, now, version}
end
count = (isBehind and known or count) + requests
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
    increment: shareIncrements(async (key, requests, { known, grantsVersion: expected = '*' }) => {
      const keys = [redis.key(kind, key)];
      const args = [
        windowMs,
        `${processId}.${versionCount++}`,
        expected,
        known?.count ?? 0,
        known?.resetAt ?? 0,
        requests,
      ];
      const reply = await runIncrement(redis, key, { keys, args });
      if (reply === null) return null;
      const [count, resetAt, now, grantsVersion] = reply as Reply;
      return { count, resetAt, now, grantsVersion };
    }),
  };
}

/**
 * Increments a window by the number of requests. Returns the count of the last of them, 0 if
 * nothing was counted, or null while the counter is unavailable.
 */
type IncrementBy = (
  key: string,
  requests: number,
  expectations: CountExpectations,
) => Promise<SharedWindowCount | null>;

/** The requests of a user that arrived in the same turn of the event loop. */
interface Batch {
  readonly key: string;
  expectations: CountExpectations;
  requests: number;
  readonly last: Promise<SharedWindowCount | null>;
  readonly resolve: (last: Promise<SharedWindowCount | null>) => void;
}

function createBatch(key: string, expectations: CountExpectations): Batch {
  let resolve!: Batch['resolve'];
  const last = new Promise<SharedWindowCount | null>((settle) => (resolve = settle));
  return { key, expectations, requests: 0, last, resolve };
}

/**
 * Lets the requests of one user that arrive in the same turn of the event loop share an increment.
 * Each gets its own place in the window, in the order of the calls, as if they had been counted one
 * by one. The increment is sent after all of them arrived, so that it returns a grants version that
 * was current after each of them started. Requests that expect different grants versions do not
 * share, and a request never joins an increment that was sent before.
 */
export function shareIncrements(incrementBy: IncrementBy): SharedRateCounter['increment'] {
  let batches = new Map<string, Batch>();

  function sendAll(): void {
    const sent = batches;
    batches = new Map();
    for (const { key, requests, expectations, resolve } of sent.values())
      resolve(incrementBy(key, requests, expectations));
  }

  function join(key: string, expectations: CountExpectations): Batch {
    const id = `${key} ${expectations.grantsVersion ?? '*'}`;
    let batch = batches.get(id);
    if (!batch) {
      if (batches.size === 0) setImmediate(sendAll);
      batches.set(id, (batch = createBatch(key, expectations)));
    }
    // the latest: counts of other requests may have arrived since the first
    if (expectations.known) batch.expectations = expectations;
    return batch;
  }

  return async (key, expectations = {}) => {
    const batch = join(key, expectations);
    const place = ++batch.requests;
    const last = await batch.last;
    if (last === null || last.count === 0) return last;
    return { ...last, count: last.count - batch.requests + place };
  };
}
