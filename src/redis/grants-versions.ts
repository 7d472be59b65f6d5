import { setTimeout as sleep } from 'node:timers/promises';
import { GRANT_LEASE_MS } from '../domain/access/grant-lease.js';
import type { Log } from '../persistence/log.js';
import type { RedisLink } from './redis-connection.js';
import { EPOCH_FIELD } from './rate-windows.js';

/** Ends what gateways know of users' grants. */
export interface AccessEpochs {
  /**
   * Called after a change was committed and before it is acknowledged, with everybody whose grants it concerns: when it
   * returns, no gateway uses what it read before. Where Redis does not hear it, that takes the length of a lease.
   */
  end(userIds: readonly string[]): Promise<void>;
}

/** Without a Redis nothing is known beyond a request, and nothing has to end. */
export const NO_EPOCHS: AccessEpochs = { end: () => Promise.resolve() };

const RETRY_MS = 50;
/** Beyond the lease, for clocks that do not run alike. */
const MARGIN_MS = 500;

interface EpochParts {
  readonly open: () => Promise<RedisLink>;
  readonly log: Log;
  readonly lease?: number;
}

/** `lease` is the gateways' own, in milliseconds. */
export function createAccessEpochs({
  open,
  log,
  lease = GRANT_LEASE_MS,
}: EpochParts): AccessEpochs {
  return {
    async end(userIds) {
      const over = performance.now() + lease + MARGIN_MS;
      let left: readonly string[] = [...new Set(userIds)];
      if (left.length === 0) return;
      const link = await open();
      const failing = async (userId: string): Promise<string[]> =>
        (await link.ask(userId, (redis) => redis.hdel(link.key('rate', userId), EPOCH_FIELD))) ===
        null
          ? [userId]
          : [];
      for (;;) {
        left = (await Promise.all(left.map(failing))).flat();
        if (left.length === 0) return;
        if (performance.now() >= over) break;
        await sleep(RETRY_MS);
      }
      log.warn(
        `Redis could not be told of the change: it holds all the same, since it was waited for ${lease / 1000} s, and no gateway uses for longer what it has read`,
      );
    },
  };
}
