import type pg from 'pg';
import { Connection, type ConnectionOptions } from '../connections/connection.js';

/** Pause between two questions. */
const INTERVAL_MS = 250;
/** With the interval, a server that stops answering is noticed within a second. */
const MAX_ANSWER_MS = 600;

interface PollOptions<Row> {
  readonly options: ConnectionOptions;
  /** A statement that returns one row. */
  readonly text: string;
  /** Called with each new connection. */
  readonly onConnect?: () => void;
  /** `askedAt` is in milliseconds of `performance.now()`. */
  readonly onAnswer: (row: Row, askedAt: number) => void;
  /** Called at each failure, after 600 ms without an answer at the latest. */
  readonly onFailure: (reason: string) => void;
}

/** Rejects after a time. If this process was blocked, what has arrived is read first. */
function withDeadline<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void =>
      void setImmediate(() => reject(new Error(`no answer within ${MAX_ANSWER_MS} ms`)));
    const timer = setTimeout(giveUp, MAX_ANSWER_MS);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Asks a server the same four times a second, on a connection of its own, until the returned
 * function is called. A connection on which an answer is late is closed.
 */
export function poll<Row extends pg.QueryResultRow>({
  options,
  text,
  onConnect = () => undefined,
  onAnswer,
  onFailure,
}: PollOptions<Row>): () => void {
  let connection: Connection | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;

  function disconnect(): void {
    connection?.abandon();
    connection = undefined;
  }

  async function open(): Promise<Connection> {
    const opened = (connection = new Connection({ ...options, pipeline: false }));
    opened.on('error', () => undefined); // the statement reports it
    await opened.connect();
    onConnect();
    return opened;
  }

  async function ask(): Promise<void> {
    const askedAt = performance.now();
    try {
      const { rows } = await withDeadline(
        (async () => (connection ?? (await open())).query<Row>(text))(),
      );
      if (!isEnded) onAnswer(rows[0]!, askedAt);
    } catch (error) {
      disconnect();
      const { message, code } = error as Error & { code?: string };
      if (!isEnded) onFailure(message || code || 'unknown error'); // a refused connection has no message
    }
    if (!isEnded) timer = setTimeout(() => void ask(), INTERVAL_MS);
  }

  void ask();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    disconnect();
  };
}
