import pg from 'pg';
import type { Log } from '../log.js';

/** What the connection is called on which a process that does jobs hears of new ones. */
export const WORKERS_NAME = 'posts-gateway jobs';
/** Where PostgreSQL tells of new jobs. */
export const JOBS_CHANNEL = 'posts_gateway_jobs';
const LOOK_AGAIN_MS = 5_000;

/**
 * Calls `wake` whenever any process puts jobs in the line. A lost connection is opened again; until then workers find
 * jobs by looking, a little later.
 */
export function listenForJobs(
  pool: pg.Pool,
  wake: () => void,
  log: Log,
): { close(): Promise<void> } {
  let client: pg.Client | undefined;
  let isClosed = false;
  let isLost = false;
  let retry: NodeJS.Timeout | undefined;

  const lost = (reason: string): void => {
    if (isClosed || retry) return;
    if (!isLost)
      log.warn(`New jobs are looked for, not told, until the database answers again: ${reason}`);
    isLost = true;
    retry = setTimeout(() => {
      retry = undefined;
      listen();
    }, LOOK_AGAIN_MS);
  };
  const listen = (): void => {
    const mine = (client = new pg.Client({
      ...pool.options,
      keepAlive: true,
      application_name: WORKERS_NAME,
    }));
    mine
      .on('error', (error) => lost(error.message))
      .on('end', () => lost('the connection ended'))
      .on('notification', wake);
    mine
      .connect()
      .then(() => mine.query(`LISTEN ${JOBS_CHANNEL}`))
      .then(
        () => {
          isLost = false;
          wake();
        },
        (error: Error) => lost(error.message),
      );
  };
  listen();
  return {
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
