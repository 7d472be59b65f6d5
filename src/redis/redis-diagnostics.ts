import type { RedisFacts } from '../domain/diagnostics/diagnostic-facts.js';
import { createRedisClient } from './redis-client.js';
import type { RedisSettings } from './shared-redis-state.js';

const TIMEOUT_MS = 2_000;

/**
 * Reads the clock of Redis, after a test write. Null if no Redis is configured.
 * @throws Error with the reason if Redis cannot be used
 */
export async function readRedisFacts({
  redisUrls,
  redisPrefix,
}: RedisSettings): Promise<RedisFacts | null> {
  if (redisUrls.length === 0) return null;
  const client = createRedisClient(redisUrls);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(client.lastError() ?? new Error(`no response within ${TIMEOUT_MS} ms`)),
      TIMEOUT_MS,
    );
  });
  const readClock = async (): Promise<RedisFacts> => {
    await client.ready;
    await client.commands.set(`${redisPrefix}doctor`, '', 'PX', 1);
    const sent = Date.now();
    const [seconds, micros] = (await client.commands.eval("return redis.call('TIME')", 0)) as [
      string,
      string,
    ];
    return {
      clock: { sent, remote: Number(seconds) * 1000 + Number(micros) / 1000, received: Date.now() },
    };
  };
  try {
    return await Promise.race([readClock(), timeout]);
  } finally {
    clearTimeout(timer);
    client.close();
  }
}
