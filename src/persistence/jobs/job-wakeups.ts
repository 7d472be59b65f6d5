import pg from 'pg';
import type { Log } from '../../services/log-port.js';

/** Application name of the connections on which workers listen for new jobs. */
export const WORKER_APPLICATION_NAME = 'posts-gateway jobs';
const CHANNEL = 'posts_gateway_jobs';
/** SQL expression that wakes the workers of all processes when its transaction is committed. */
export const WAKE_WORKERS = `pg_notify('${CHANNEL}', '')`;

/** Intervals of a LISTEN connection, in milliseconds. */
interface ListenIntervals {
  readonly reconnectMs: number;
  /** How often the connection is checked: a host that died without a word closes no connection. */
  readonly checkMs: number;
  /** A connection that does not answer within this time is lost. */
  readonly answerMs: number;
}
const INTERVALS: ListenIntervals = { reconnectMs: 5_000, checkMs: 10_000, answerMs: 5_000 };

/**
 * Calls `wake` whenever a process enqueues jobs. Reconnects after a lost connection; until then
 * workers find jobs by polling.
 */
export function listenForJobs(
  pool: pg.Pool,
  wake: () => void,
  log: Log,
  { reconnectMs, checkMs, answerMs }: ListenIntervals = INTERVALS,
): { close(): Promise<void> } {
  /** Undefined after it was lost or closed. */
  let current: pg.Client | undefined;
  /** Of the next check or of the next connection. */
  let timer: NodeJS.Timeout | undefined;
  let isReported = false;

  function lose(client: pg.Client, reason: string): void {
    if (client !== current) return;
    current = undefined;
    client.end().catch(() => undefined);
    if (!isReported)
      log.warn(`Lost the LISTEN connection; polling for new jobs until it is back: ${reason}`);
    isReported = true;
    clearTimeout(timer);
    timer = setTimeout(connect, reconnectMs);
  }

  function checkLater(client: pg.Client): void {
    if (client !== current) return;
    timer = setTimeout(() => {
      client.query('SELECT 1').then(
        () => checkLater(client),
        (error: Error) => lose(client, error.message),
      );
    }, checkMs);
  }

  function connect(): void {
    const client = (current = new pg.Client({
      ...pool.options,
      pipeline: false, // closing it must not wait for an answer
      keepAlive: true,
      query_timeout: answerMs,
      application_name: WORKER_APPLICATION_NAME,
    }));
    client
      .on('error', (error) => lose(client, error.message))
      .on('end', () => lose(client, 'connection closed'))
      .on('notification', wake);
    client
      .connect()
      .then(() => client.query(`LISTEN ${CHANNEL}`))
      .then(
        () => {
          isReported = false;
          wake();
          checkLater(client);
        },
        (error: Error) => lose(client, error.message),
      );
  }

  connect();
  return {
    async close() {
      const client = current;
      current = undefined;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
