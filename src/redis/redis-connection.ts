import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../domain/log.js';
import type { RedisClient, RedisCommands } from './redis-client.js';

/** A Redis that may become unavailable: commands then fail immediately instead of waiting. */
export interface RedisConnection {
  /**
   * A key with the configured prefix. Keys with the same tag are stored on the same node of a
   * cluster.
   */
  key(kind: string, tag: string): string;
  /**
   * Runs a command on keys with this tag. Null immediately while Redis is unavailable, and after
   * 200 ms without a response.
   */
  run<T>(tag: string, command: (commands: RedisCommands) => Promise<T>): Promise<T | null>;
  /**
   * Calls `listener` at each lost connection or missing response: cached state that Redis
   * invalidates may be stale.
   */
  onUnavailable(listener: () => void): void;
  /** Whether Redis responded to the last command. */
  isAvailable(): boolean;
  close(): void;
}

interface RedisConnectionOptions {
  /** One server, or several nodes of a cluster. */
  readonly redisUrls: readonly string[];
  /** Prefix of all keys; without braces. */
  readonly redisPrefix: string;
}

/**
 * How long a request waits for Redis; only requests in flight when it becomes unavailable wait this
 * long.
 */
const RESPONSE_TIMEOUT_MS = 200;
/**
 * If this process was blocked for longer than this, it may not have read the response: the timeout
 * is extended once by this.
 */
const EVENT_LOOP_LAG_MS = 20;
/** How long the start waits for the first connection. */
const CONNECT_TIMEOUT_MS = 1_000;
const PROBE_INTERVAL_MS = 100;
/**
 * After this many failed probes a new connection is made: the old one may be to a host that no
 * longer exists.
 */
const PROBES_BEFORE_RECONNECT = 20;

const CONNECTION_CLOSED = new Error('connection closed');

/**
 * Connects, and waits up to a second for it. Logs one line when Redis becomes unavailable and one
 * when it is back; never throws for it.
 */
export async function openRedisConnection(
  { redisUrls, redisPrefix }: RedisConnectionOptions,
  log: Log,
): Promise<RedisConnection> {
  // loaded here, so that starts without Redis skip ioredis
  const { createRedisClient } = await import('./redis-client.js');
  const client = createRedisClient(redisUrls);
  const listeners: (() => void)[] = [];
  const key = (kind: string, tag: string): string => `${redisPrefix}${kind}:{${tag}}`;
  let isAvailable = true;
  let isClosed = false;

  const notifyListeners = (): void => listeners.forEach((listener) => listener());

  function markUnavailable(error: Error, tag: string): void {
    if (isClosed) return;
    notifyListeners();
    if (!isAvailable) return;
    isAvailable = false;
    log.warn(
      `Redis is unavailable (${describeError(client.lastError() ?? error)}). Until it is back, each process counts requests separately and reads every grant from the database`,
    );
    void probeUntilAvailable(tag);
  }

  /**
   * Probes with a write, since a replica or a full server can be read; with the failed tag, which
   * selects the node in a cluster.
   */
  async function probeUntilAvailable(tag: string): Promise<void> {
    for (let probes = 1; !isClosed; probes++) {
      await sleep(PROBE_INTERVAL_MS, undefined, { ref: false });
      const error = await errorOf(client.commands.set(key('probe', tag), '', 'PX', 1));
      if (error === null) {
        isAvailable = true;
        return log.warn('Redis is available again. Requests are counted across all processes');
      }
      if (probes % PROBES_BEFORE_RECONNECT === 0) client.reconnect();
    }
  }

  const connectError = await probeOnceConnected(client, () =>
    client.commands.set(key('probe', ''), '', 'PX', 1),
  );
  if (connectError !== null) markUnavailable(connectError, '');
  client.onDisconnect((scope) =>
    scope === 'whole' ? markUnavailable(CONNECTION_CLOSED, '') : notifyListeners(),
  );

  return {
    key,
    async run(tag, command) {
      if (!isAvailable) return null;
      client.batchWrites();
      try {
        return await withTimeout(command(client.commands));
      } catch (error) {
        markUnavailable(error as Error, tag);
        return null;
      }
    },
    onUnavailable: (listener) => void listeners.push(listener),
    isAvailable: () => isAvailable,
    close() {
      isClosed = true;
      client.close();
    },
  };
}

async function probeOnceConnected(
  { ready }: RedisClient,
  probe: () => Promise<unknown>,
): Promise<Error | null> {
  await Promise.race([ready, sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
  return errorOf(probe());
}

const errorOf = (response: Promise<unknown>): Promise<Error | null> =>
  withTimeout(response).then(
    () => null,
    (error: Error) => error,
  );

/**
 * Rejects if there is no response in time. If this process itself was blocked, the response may
 * have arrived unread: pending I/O is read before the timeout rejects.
 */
function withTimeout<T>(response: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const giveUp = (): void =>
      void setImmediate(() => reject(new Error(`no response within ${RESPONSE_TIMEOUT_MS} ms`)));
    let timer = setTimeout(() => {
      if (performance.now() - startedAt < RESPONSE_TIMEOUT_MS + EVENT_LOOP_LAG_MS) giveUp();
      else timer = setTimeout(giveUp, EVENT_LOOP_LAG_MS);
    }, RESPONSE_TIMEOUT_MS);
    const settle =
      <V>(finish: (value: V) => void) =>
      (value: V): void => {
        clearTimeout(timer);
        finish(value);
      };
    response.then(settle(resolve), settle(reject));
  });
}

const describeError = ({ message, code }: Error & { code?: string }): string =>
  message || code || 'unknown error';

/**
 * Runs a script on the node that `tag` selects, with its keys and arguments. Returns its reply; null
 * if Redis is unavailable.
 */
export type RunScript = (
  redis: RedisConnection,
  tag: string,
  script: { readonly keys: readonly string[]; readonly args: readonly (string | number)[] },
) => Promise<unknown>;

/** A script of Redis. It is sent by its hash, and as a whole to a node that does not know it. */
export function createScript(text: string): RunScript {
  const hash = createHash('sha1').update(text).digest('hex');
  return (redis, tag, { keys, args }) =>
    redis.run(tag, (commands) =>
      commands.evalsha(hash, keys.length, ...keys, ...args).catch((error: Error) => {
        if (!error.message.startsWith('NOSCRIPT')) throw error;
        return commands.eval(text, keys.length, ...keys, ...args);
      }),
    );
}
