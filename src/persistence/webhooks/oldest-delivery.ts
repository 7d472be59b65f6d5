import type { Database } from '../database.js';
import { forScrapes } from '../single-flight.js';

/** SQL: the first due message of each webhook is found in an index. */
const OLDEST = `
SELECT GREATEST(0, EXTRACT(epoch FROM now() - min(d.due_at)))::float8 AS seconds
  FROM webhook w, LATERAL (SELECT due_at FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.status = 'pending' ORDER BY due_at LIMIT 1) d
 WHERE w.status = 'active'`;

/**
 * Seconds since the first message of a webhook became due, 0 if there is none; null if the database
 * does not respond in time.
 */
export const createOldestDelivery = (database: Database): (() => Promise<number | null>) =>
  forScrapes(async () => {
    const [row] = await database.scan<{ seconds: number | null }>(OLDEST);
    return row?.seconds ?? 0;
  });
