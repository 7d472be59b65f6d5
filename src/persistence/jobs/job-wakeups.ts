import pg from 'pg';
import type { Log } from '../../services/log-port.js';

/** Application name of the connections on which workers listen for new jobs. */
export const WORKER_APPLICATION_NAME = 'posts-gateway jobs';
/** PostgreSQL notification channel for new jobs. */
export const JOBS_CHANNEL = 'posts_gateway_jobs';
const RECONNECT_MS = 5_000;

/**
 * Calls `wake` whenever a process enqueues jobs. Reconnects after a lost connection; until then
 * workers find jobs by polling.
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

  const reconnectLater = (reason: string): void => {
    if (isClosed || retry) return;
    if (!isLost)
      log.warn(`Lost the LISTEN connection; polling for new jobs until it is back: ${reason}`);
    isLost = true;
    retry = setTimeout(() => {
      retry = undefined;
      listen();
    }, RECONNECT_MS);
  };
  const listen = (): void => {
    const connection = (client = new pg.Client({
      ...pool.options,
      keepAlive: true,
      application_name: WORKER_APPLICATION_NAME,
    }));
    connection
      .on('error', (error) => reconnectLater(error.message))
      .on('end', () => reconnectLater('connection closed'))
      .on('notification', wake);
    connection
      .connect()
      .then(() => connection.query(`LISTEN ${JOBS_CHANNEL}`))
      .then(
        () => {
          isLost = false;
          wake();
        },
        (error: Error) => reconnectLater(error.message),
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
