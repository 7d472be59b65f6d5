import type { Database } from '../database.js';
import { singleFlight } from '../single-flight.js';

/** The first due message of each webhook, which is found in an index. */
const OLDEST = `
SELECT GREATEST(0, EXTRACT(epoch FROM now() - min(d.due_at)))::float8 AS seconds
  FROM webhook w, LATERAL (SELECT due_at FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.status = 'pending' ORDER BY due_at LIMIT 1) d
 WHERE w.status = 'active'`;

/**
 * Metrics scrapes time out after some seconds, and the other metrics must not wait for this one.
 */
const QUERY_TIMEOUT_MS = 1_000;

/**
 * Seconds since the first message of a webhook became due, 0 if there is none; null if the database
 * does not respond in time.
 */
export const createOldestDelivery = (database: Database): (() => Promise<number | null>) =>
  singleFlight(
    async () => {
      const [row] = await database.scan<{ seconds: number | null }>(OLDEST);
      return row?.seconds ?? 0;
    },
    { timeoutMs: QUERY_TIMEOUT_MS, fallback: null },
  );
