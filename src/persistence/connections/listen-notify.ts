import type { Sql } from '../sql.js';
import type pg from 'pg';
import { Connection } from './connection.js';
import { sessionOptions } from './session.js';

/** Pause between two notifications of a channel: calls in between share the next one. */
const PAUSE_MS = 10;
/** A notification has at most 8,000 bytes. Beyond this number, it is about all subjects. */
const MAX_SUBJECTS = 200;
/** Payload of a notification about all subjects. */
const ANY = '';

/** The subjects of a notification; null if it is about all. */
export const notifiedSubjects = (payload: string): readonly string[] | null =>
  payload === ANY ? null : payload.split(' ');

/**
 * Creates the function that notifies the listeners of channels. After commit and together: NOTIFY
 * within the transactions of changes would commit them one after another.
 */
export function createNotifier(read: Sql): (channel: string, subject: string | null) => void {
  const waiting = new Map<string, Set<string>>();

  async function send(channel: string, subjects: Set<string>): Promise<void> {
    while (subjects.size > 0) {
      const isAny = subjects.has(ANY) || subjects.size > MAX_SUBJECTS;
      const payload = isAny ? ANY : [...subjects].join(' ');
      subjects.clear();
      await read('SELECT pg_notify($1, $2)', [channel, payload]).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
    }
    waiting.delete(channel);
  }

  return (channel, subject) => {
    const subjects = waiting.get(channel);
    if (subjects) subjects.add(subject ?? ANY);
    else {
      const first = new Set([subject ?? ANY]);
      waiting.set(channel, first);
      void send(channel, first);
    }
  };
}

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
