import type { Vitals } from '../http/health.js';
import type { Database } from '../persistence/database.js';
import { migrationNames, MIGRATIONS_DIR } from '../persistence/migrations.js';
import type { RedisStanding } from '../redis/redis-state.js';
import { createVitals } from '../persistence/readiness.js';

/**
 * How a process stands. It is ready with its database, migrated, and the jobs' queue there; not without them, since
 * nothing can be read or written. Redis away is told, and does not matter: then each process counts for itself (D37).
 */
export function composeVitals(
  pool: Database['pool'],
  redis?: () => RedisStanding,
): () => Promise<Vitals> {
  const look = createVitals(pool, migrationNames(MIGRATIONS_DIR));
  return async () => {
    const needed = await look();
    return {
      isReady: Object.values(needed).every((standing) => standing === 'ok'),
      parts: { ...needed, ...(redis && { redis: redis() }) },
    };
  };
}
