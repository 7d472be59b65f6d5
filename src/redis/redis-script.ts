import { createHash } from 'node:crypto';
import type { RedisConnection } from './redis-connection.js';

/**
 * Runs a script on the node that `tag` selects, with its keys and arguments. Returns its reply; null
 * if Redis is unavailable.
 */
export type RunScript = (
  redis: RedisConnection,
  tag: string,
  script: { readonly keys: readonly string[]; readonly args: readonly (string | number)[] },
) => Promise<unknown>;

/** A script of Redis. It is sent by its hash, and as a whole to a node that does not know it. */
export function createScript(text: string): RunScript {
  const hash = createHash('sha1').update(text).digest('hex');
  return (redis, tag, { keys, args }) =>
    redis.run(tag, (commands) =>
      commands.evalsha(hash, keys.length, ...keys, ...args).catch((error: Error) => {
        if (!error.message.startsWith('NOSCRIPT')) throw error;
        return commands.eval(text, keys.length, ...keys, ...args);
      }),
    );
}
