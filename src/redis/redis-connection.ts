import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../persistence/log.js';
import type { RedisClient, RedisConnection } from './redis-client.js';

/** Redis, as long as it answers in time; while it does not, nobody waits for it. */
export interface RedisLink {
  /** A key of ours: those with the same tag lie on the same node of a cluster. */
  key(kind: string, tag: string): string;
  /** Runs a command about a tag. Null at once while Redis is away, and after 200 ms where it does not answer. */
  ask<T>(tag: string, command: (client: RedisClient) => Promise<T>): Promise<T | null>;
  /** Calls whenever a connection was lost or an answer did not come: what was known by Redis may be so no more. */
  onAway(act: () => void): void;
  /** Whether it answered when it was last asked. */
  isUp(): boolean;
  close(): void;
}

interface LinkOptions {
  /** One server, or several nodes of a cluster. */
  readonly redisUrls: readonly string[];
  /** What all keys begin with; without braces. */
  readonly redisPrefix: string;
}

/** A request waits this long for Redis, and only those that are under way when it goes away do. */
const PATIENCE_MS = 200;
/** Where this process was itself late by more than this, it had no time to see the answer: it looks for so long once more. */
const LATE_MS = 20;
/** How long the start waits for the first connection. */
const FIRST_PATIENCE_MS = 1_000;
/** Between two looks whether it is back. */
const LOOK_MS = 100;
/** So many looks in vain, and the connection may be to a host that is no more: a new one is made. */
const LOOKS_BEFORE_RECONNECT = 20;

const LOST = new Error('the connection was closed');

/** Connects, and waits a moment for it; a Redis that is away is no error, but one line in the log, and one more when it is back. */
export async function openRedisLink(
  { redisUrls, redisPrefix }: LinkOptions,
  log: Log,
): Promise<RedisLink> {
  const { connectRedis } = await import('./redis-client.js'); // only now: without a Redis no start waits for its client
  const connection = connectRedis(redisUrls);
  const listeners: (() => void)[] = [];
  const key = (kind: string, tag: string): string => `${redisPrefix}${kind}:{${tag}}`;
  let isUp = true;
  let isClosed = false;

  const forget = (): void => listeners.forEach((act) => act());

  function leave(error: Error, tag: string): void {
    if (isClosed) return;
    forget();
    if (!isUp) return;
    isUp = false;
    log.warn(
      `Redis is away (${reasonOf(connection.trouble() ?? error)}): until it is back, each process counts requests for itself and reads every grant from the database`,
    );
    void comeBack(tag);
  }

  // By the tag that failed: in a cluster, that is on the node to wait for. Written, since a replica or a full server can be read.
  async function comeBack(tag: string): Promise<void> {
    for (let looks = 1; !isClosed; looks++) {
      await sleep(LOOK_MS, undefined, { ref: false });
      const error = await failureOf(connection.client.set(key('look', tag), '', 'PX', 1));
      if (error === null) {
        isUp = true;
        return log.warn('Redis is back: requests are counted over all processes again');
      }
      if (looks % LOOKS_BEFORE_RECONNECT === 0) connection.reconnect();
    }
  }

  const firstError = await firstFailure(connection, () =>
    connection.client.set(key('look', ''), '', 'PX', 1),
  );
  if (firstError !== null) leave(firstError, '');
  connection.onLoss((of) => (of === 'whole' ? leave(LOST, '') : forget()));

  return {
    key,
    async ask(tag, command) {
      if (!isUp) return null;
      connection.gather();
      try {
        return await withPatience(command(connection.client));
      } catch (error) {
        leave(error as Error, tag);
        return null;
      }
    },
    onAway: (act) => void listeners.push(act),
    isUp: () => isUp,
    close() {
      isClosed = true;
      connection.close();
    },
  };
}

async function firstFailure(
  { ready }: RedisConnection,
  look: () => Promise<unknown>,
): Promise<Error | null> {
  await Promise.race([ready, sleep(FIRST_PATIENCE_MS, undefined, { ref: false })]);
  return failureOf(look());
}

const failureOf = (asked: Promise<unknown>): Promise<Error | null> =>
  withPatience(asked).then(
    () => null,
    (error: Error) => error,
  );

/**
 * The answer, or an error when it has not come in time. Where this process itself was late, the answer may lie there
 * unread: it is looked at what has arrived before Redis is said to be away.
 */
function withPatience<T>(asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const askedAt = performance.now();
    const giveUp = (): void =>
      void setImmediate(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)));
    let late = setTimeout(() => {
      if (performance.now() - askedAt < PATIENCE_MS + LATE_MS) giveUp();
      else late = setTimeout(giveUp, LATE_MS);
    }, PATIENCE_MS);
    const settle =
      <V>(by: (value: V) => void) =>
      (value: V): void => {
        clearTimeout(late);
        by(value);
      };
    asked.then(settle(resolve), settle(reject));
  });
}

const reasonOf = ({ message, code }: Error & { code?: string }): string =>
  message || code || 'no reason given';
