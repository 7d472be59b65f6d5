import type { UserPositions } from '../services/replicas/replica-ports.js';
import { createScript, type RedisConnection } from './redis-connection.js';

/**
 * Sets a position and its expiry, unless a later one is stored. KEYS: the position. ARGV: it, ms.
 */
const runAdvance = createScript(`
if tonumber(ARGV[1]) > tonumber(redis.call('GET', KEYS[1]) or '-1') then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 1`);

/**
 * The first request of a user after this time costs one more query. The time also limits how long
 * a position is used that the database no longer has, for example after a restore.
 */
const LIFETIME_MS = 3_600_000;

/** The key of a user's position, on the node of a cluster that also has the user's rate window. */
export const positionKey = (redis: RedisConnection, userId: string): string =>
  redis.key('position', userId);

/** Stores positions in Redis. */
export const createUserPositions = (redis: RedisConnection): UserPositions => ({
  async advance(userId, position) {
    const keys = [positionKey(redis, userId)];
    return (await runAdvance(redis, userId, { keys, args: [position, LIFETIME_MS] })) !== null;
  },
  forget: async (userId) =>
    (await redis.run(userId, (commands) => commands.del(positionKey(redis, userId)))) !== null,
});
