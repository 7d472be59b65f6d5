import type pg from 'pg';
import { Connection } from './connection.js';
import { sessionOptions } from './session.js';

/** Intervals of a LISTEN connection, in milliseconds. */
export interface ListenIntervals {
  readonly reconnectMs: number;
  /** How often the connection is checked: a host that crashes does not close it. */
  readonly checkMs: number;
  /** A connection that does not answer within this time is lost. */
  readonly answerMs: number;
}
const INTERVALS: ListenIntervals = { reconnectMs: 5_000, checkMs: 10_000, answerMs: 5_000 };

/** What a listener wants. */
export interface ListenOptions {
  readonly channel: string;
  /** Application name of the connection. */
  readonly applicationName: string;
  readonly onNotification: (payload: string) => void;
  /** Called for each connection: notifications of the time before it are lost. */
  readonly onConnected: () => void;
  /** Called for the first of several consecutive failures. */
  readonly onLost: (reason: string) => void;
  readonly intervals?: ListenIntervals;
}

/**
 * Receives the notifications of a channel, on a connection of its own. Reconnects when it is lost.
 */
export function listen(
  pool: pg.Pool,
  {
    channel,
    applicationName,
    onNotification,
    onConnected,
    onLost,
    intervals: { reconnectMs, checkMs, answerMs } = INTERVALS,
  }: ListenOptions,
): { close(): Promise<void> } {
  /** Undefined after it was lost or closed. */
  let current: Connection | undefined;
  /** Of the next check or of the next connection. */
  let timer: NodeJS.Timeout | undefined;
  let isReported = false;

  function lose(client: Connection, reason: string): void {
    if (client !== current) return;
    current = undefined;
    client.end().catch(() => undefined);
    if (!isReported) onLost(reason);
    isReported = true;
    clearTimeout(timer);
    timer = setTimeout(connect, reconnectMs);
  }

  function checkLater(client: Connection): void {
    if (client !== current) return;
    timer = setTimeout(() => {
      client.query('SELECT 1').then(
        () => checkLater(client),
        (error: Error) => lose(client, error.message),
      );
    }, checkMs);
  }

  function connect(): void {
    const client = (current = new Connection({
      ...sessionOptions(pool),
      pipeline: false, // closing it must not wait for an answer
      keepAlive: true,
      query_timeout: answerMs,
      application_name: applicationName,
    }));
    client
      .on('error', (error) => lose(client, error.message))
      .on('end', () => lose(client, 'connection closed'))
      .on('notification', ({ payload = '' }) => onNotification(payload));
    client
      .connect()
      .then(() => client.query(`LISTEN ${channel}`))
      .then(
        () => {
          isReported = false;
          onConnected();
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
