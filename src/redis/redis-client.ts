import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** The commands in use; a single server and a cluster have the same. */
export type RedisCommands = Pick<Redis, 'eval' | 'evalsha' | 'hdel' | 'set'>;
/** A client that reconnects until it is closed. */
export interface RedisClient {
  readonly commands: RedisCommands;
  /**
   * Calls `listener` at each lost connection, before the next command is sent: to the server or
   * cluster, or to one node of a cluster.
   */
  onDisconnect(listener: (scope: 'whole' | 'node') => void): void;
  /**
   * Combines the commands of the current event loop tick into one write: separate writes take
   * longer than Redis needs for the commands.
   */
  batchWrites(): void;
  /** The last connection error; undefined while connected. */
  lastError(): Error | undefined;
  /** Resolves with the first connection; for a cluster, with one to each master. */
  readonly ready: Promise<void>;
  /** Drops a connection that may be stuck, and connects again. */
  reconnect(): void;
  close(): void;
}

const reconnectDelay = (attempts: number): number => Math.min(attempts * 50, 500);

/**
 * Commands are never resent after a disconnect, which would count requests twice.
 * redis-connection.ts sets the response timeout.
 */
const NODE_OPTIONS: RedisOptions = {
  connectTimeout: 500,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: reconnectDelay,
  connectionName: 'posts-gateway',
  // without it, closing a connection that was never established delays the end of the process
  disconnectTimeout: 200,
};

/**
 * Creates a client of one server, or of a cluster if several addresses are given. Returns
 * immediately and never throws if Redis is unavailable.
 */
export function createRedisClient(urls: readonly string[]): RedisClient {
  const [first = '', ...others] = urls;
  const redis =
    others.length === 0
      ? new Redis(first, { ...NODE_OPTIONS, enableOfflineQueue: false })
      : createCluster(urls);
  let lastError: Error | undefined;
  const setLastError = (error: Error): void => {
    lastError = error;
  };
  redis
    .on('error', setLastError)
    .on('node error', setLastError)
    .on('ready', () => {
      lastError = undefined;
    });
  return {
    commands: redis,
    onDisconnect(listener) {
      redis.on('close', () => listener('whole')).on('-node', () => listener('node'));
    },
    // each node of a cluster has its own connection
    batchWrites: redis instanceof Redis ? () => batchWrites(redis) : () => undefined,
    lastError: () => lastError,
    ready: new Promise<void>((resolve) => redis.once('ready', () => resolve())).then(() =>
      redis instanceof Cluster ? pingMasters(redis) : undefined,
    ),
    reconnect: () => redis.disconnect(true),
    close: () => redis.disconnect(),
  };
}

function batchWrites({ stream }: Redis): void {
  if (!stream || stream.writableCorked > 0) return; // undefined before the first connection
  stream.cork();
  setImmediate(() => stream.uncork());
}

/** Opens the connections to all masters; otherwise the first request to each would wait for it. */
const pingMasters = async (cluster: Cluster): Promise<void> =>
  void (await Promise.allSettled(cluster.nodes('master').map((node) => node.ping())));

// Commands queue while a node is being connected; the response timeout of redis-connection.ts
// bounds the wait.
function createCluster(urls: readonly string[]): Cluster {
  const { username, password, protocol } = new URL(urls[0] ?? '');
  const access = {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
  };
  return new Cluster([...urls], {
    enableOfflineQueue: true,
    clusterRetryStrategy: reconnectDelay,
    maxRedirections: 3,
    slotsRefreshTimeout: 500,
    slotsRefreshInterval: 5_000,
    redisOptions: { ...NODE_OPTIONS, ...access, ...(protocol === 'rediss:' && { tls: {} }) },
  });
}
