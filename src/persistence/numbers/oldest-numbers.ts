import type { Database } from '../database.js';
import { forScrapes } from '../single-flight.js';

/** The numbers of the post of the row `s` of the schedule are due. */
export const IS_DUE = 's.due_at <= now()';
/** The network of the account `a` may be asked now. */
export const MAY_BE_READ =
  'NOT a.needs_reauth AND (a.paused_until IS NULL OR a.paused_until <= now())';

const OLDEST = `
SELECT COALESCE(max(EXTRACT(epoch FROM now() - first.due_at)), 0)::float8 AS seconds
  FROM account a, LATERAL (SELECT s.due_at FROM post_analytics_schedule s WHERE s.account_id = a.id AND ${IS_DUE} ORDER BY s.due_at LIMIT 1) first
 WHERE ${MAY_BE_READ}`;

/**
 * Seconds since the oldest due numbers became due, of accounts that can be read, 0 if there are
 * none; null if the database does not respond in time.
 */
export const createOldestNumbers = (database: Database): (() => Promise<number | null>) =>
  forScrapes(async () => (await database.scan<{ seconds: number }>(OLDEST))[0]!.seconds);
