import { MIGRATIONS_DIR } from '../config/package-paths.js';
import type { Readiness } from '../http/app.js';
import type { Database } from '../persistence/database.js';
import { migrationNames } from '../persistence/migrations.js';
import type { RedisStatus } from '../redis/shared-redis-state.js';
import { createReadinessCheck } from '../persistence/readiness.js';

/**
 * The readiness check of a process. It requires a migrated database. Redis is only reported:
 * without it each process counts requests separately (D37). So is a pause of publication (D56).
 */
export function composeReadiness(
  database: Database,
  redisStatus?: () => RedisStatus,
): () => Promise<Readiness> {
  const checkDatabase = createReadinessCheck(database, migrationNames(MIGRATIONS_DIR));
  return async () => {
    const { publishing, ...required } = await checkDatabase();
    return {
      isReady: Object.values(required).every((status) => status === 'ok'),
      checks: { ...required, publishing, ...(redisStatus && { redis: redisStatus() }) },
    };
  };
}
