import { createHash, randomUUID } from 'node:crypto';
import type { SharedWindows } from '../services/ports.js';
import type { RedisLink } from './redis-connection.js';

/**
 * A fixed window and the access epoch of one user, in one step on Redis's own clock (D37). The window ends when it was
 * said to at its beginning, whoever asks. An epoch is a word that never comes again: it is made by whoever finds none.
 * Where the caller expects another epoch than there is, nothing is counted and the epoch is told.
 * KEYS: the window. ARGV: its length in ms; a new epoch, should there be none; the epoch expected, or * for any.
 * Gives count (0 where nothing was counted), reset, now, epoch.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local length = tonumber(ARGV[1])
local found = redis.call('HMGET', KEYS[1], 'reset', 'epoch')
local reset = tonumber(found[1] or 0)
local epoch = found[2]
local isOpen = now < reset and reset - now <= length
if not epoch then
  epoch = ARGV[2]
  redis.call('HSET', KEYS[1], 'epoch', epoch)
  if not isOpen then redis.call('PEXPIRE', KEYS[1], length) end
end
if ARGV[3] ~= '*' and ARGV[3] ~= epoch then return {0, 0, now, epoch} end
if isOpen then return {redis.call('HINCRBY', KEYS[1], 'count', 1), reset, now, epoch} end
reset = now + length
redis.call('HSET', KEYS[1], 'count', 1, 'reset', reset)
redis.call('PEXPIREAT', KEYS[1], reset)
return {1, reset, now, epoch}`;
const TAKE_SHA = createHash('sha1').update(TAKE).digest('hex');

/** The field that AccessEpochs removes. */
export const EPOCH_FIELD = 'epoch';
/** What windows are kept under: of requests by user, and of failures by address. */
export type WindowKind = 'rate' | 'failures';

/** Counts for all processes that share the Redis. */
export function createRedisWindows(
  link: RedisLink,
  kind: WindowKind,
  length: number,
): SharedWindows {
  const run = randomUUID();
  let made = 0;

  return {
    async take(key, expected = '*') {
      const place = link.key(kind, key);
      const args = [place, length, `${run}.${made++}`, expected] as const;
      const answer = await link.ask(key, (redis) =>
        redis.evalsha(TAKE_SHA, 1, ...args).catch((error: Error) => {
          if (!error.message.startsWith('NOSCRIPT')) throw error;
          return redis.eval(TAKE, 1, ...args);
        }),
      );
      if (answer === null) return null;
      const [count, resetAt, now, epoch] = answer as [number, number, number, string];
      return { count, resetAt, now, epoch };
    },
  };
}
