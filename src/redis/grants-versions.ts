import { setTimeout as sleep } from 'node:timers/promises';
import { GRANT_LEASE_MS, type GrantsVersions } from '../domain/access/cached-grants-lifetime.js';
import type { Log } from '../domain/log.js';
import { GRANTS_VERSION_FIELD } from './rate-windows.js';
import type { RedisConnection } from './redis-connection.js';

/** Without Redis no grants are cached, so there is nothing to invalidate. */
export const NO_GRANTS_VERSIONS: GrantsVersions = { renew: () => Promise.resolve() };

const RETRY_MS = 50;
/** Added to the lease, for differences between clocks. */
const MARGIN_MS = 500;

interface GrantsVersionOptions {
  readonly openConnection: () => Promise<RedisConnection>;
  readonly log: Log;
  /** How long gateways use cached grants. */
  readonly leaseMs?: number;
}

/** Renews grants versions by deleting them in Redis; the next request creates new ones. */
export function createGrantsVersions({
  openConnection,
  log,
  leaseMs = GRANT_LEASE_MS,
}: GrantsVersionOptions): GrantsVersions {
  return {
    async renew(userIds) {
      const expiry = performance.now() + leaseMs + MARGIN_MS;
      let remaining: readonly string[] = [...new Set(userIds)];
      if (remaining.length === 0) return;
      const redis = await openConnection();
      const deleteVersion = (userId: string): Promise<number | null> =>
        redis.run(userId, (commands) =>
          commands.hdel(redis.key('rate', userId), GRANTS_VERSION_FIELD),
        );
      const failedIds = async (userId: string): Promise<string[]> =>
        (await deleteVersion(userId)) === null ? [userId] : [];
      for (;;) {
        remaining = (await Promise.all(remaining.map(failedIds))).flat();
        if (remaining.length === 0) return;
        if (performance.now() >= expiry) break;
        await sleep(RETRY_MS);
      }
      log.warn(
        `Could not invalidate cached grants in Redis. The change is effective anyway: cached grants expire after ${leaseMs / 1000} s and that time has passed`,
      );
    },
  };
}
