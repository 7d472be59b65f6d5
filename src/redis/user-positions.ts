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

/** Creates the positions of users in the write-ahead log of the database, which Redis stores. */
export function createUserPositions(redis: RedisConnection) {
  const keyOf = (userId: string): string => redis.key('position', userId);
  return {
    /** Null if there is none, undefined if Redis does not answer. */
    async read(userId: string): Promise<number | null | undefined> {
      const reply = await redis.run(userId, async (commands) => [
        await commands.get(keyOf(userId)),
      ]);
      const position = reply?.[0];
      return typeof position === 'string' ? Number(position) : position;
    },
    /** Stores the position unless a later one is stored. False if Redis does not answer. */
    async advance(userId: string, position: number): Promise<boolean> {
      const keys = [keyOf(userId)];
      return (await runAdvance(redis, userId, { keys, args: [position, LIFETIME_MS] })) !== null;
    },
    /** Deletes the position. False if Redis does not answer. */
    forget: async (userId: string): Promise<boolean> =>
      (await redis.run(userId, (commands) => commands.del(keyOf(userId)))) !== null,
  };
}
