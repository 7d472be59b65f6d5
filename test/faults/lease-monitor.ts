import { setTimeout as delay } from 'node:timers/promises';
import { LEASE_SECONDS } from '../../src/persistence/jobs/job-queue.js';
import type { TestWorker } from '../fixtures/test-worker.js';

interface LeaseMonitor {
  /** Ends the measurement. Both values are in seconds. */
  stop(): Promise<{ longestOverdue: number; longestHeld: number }>;
}

const MEASURE_LEASES = `SELECT max(EXTRACT(epoch FROM now() - leased_until))::float8 AS overdue,
  ${LEASE_SECONDS} - min(EXTRACT(epoch FROM leased_until - now()))::float8 AS held
  FROM job WHERE status = 'working' AND leased_until IS NOT NULL`;

/** Measures how long jobs stay leased after their lease has expired, and how long an attempt lasts. */
export function monitorLeases({ sql }: Pick<TestWorker, 'sql'>): LeaseMonitor {
  let [isOver, longestOverdue, longestHeld] = [false, 0, 0];
  const monitoring = (async () => {
    while (!isOver) {
      const [row] = await sql<{ overdue: number | null; held: number | null }>(MEASURE_LEASES);
      longestOverdue = Math.max(longestOverdue, row!.overdue ?? 0);
      longestHeld = Math.max(longestHeld, row!.held ?? 0);
      await delay(100);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await monitoring;
      return { longestOverdue, longestHeld };
    },
  };
}
