import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { readSentinelOptions, watchSentinels } from './sentinel-client.js';

/** The commands in use; a single server and a cluster have the same. */
export type RedisCommands = Pick<Redis, 'del' | 'eval' | 'evalsha' | 'get' | 'hdel' | 'set'>;
/** A client that reconnects until it is closed. */
export interface RedisClient {
  readonly commands: RedisCommands;
  /**
   * Calls `listener` at each lost connection, before the next command is sent: to the server or
   * cluster, or to one node of a cluster.
   */
  onDisconnect(listener: (scope: 'whole' | 'node') => void): void;
  /**
   * Combines the commands that are sent before the next callback into one write: separate writes
   * take longer than Redis needs for the commands.
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

/** A server that is not the master any more says so: the next connection leads to the new one. */
const SERVER_OPTIONS: RedisOptions = {
  ...NODE_OPTIONS,
  enableOfflineQueue: false,
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
};

/**
 * Creates a client of one server, of the master that Sentinels name (`redis+sentinel:`), or of a
 * cluster (`redis+cluster:`, or several addresses). Returns immediately and never throws if Redis
 * is unavailable.
 */
export function createRedisClient(urls: readonly string[]): RedisClient {
  const [first = ''] = urls;
  if (/^rediss?\+sentinel:/i.test(first)) return createSentinelClient(urls);
  const isCluster = /^rediss?\+cluster:/i.test(first) || urls.length > 1;
  return isCluster
    ? clientOf(createCluster(urls.map((url) => url.replace(/\+cluster:/i, ':'))))
    : clientOf(new Redis(first, SERVER_OPTIONS));
}

function createSentinelClient(urls: readonly string[]): RedisClient {
  const options = { ...SERVER_OPTIONS, ...readSentinelOptions(urls) };
  const client = clientOf(new Redis(options));
  const endWatch = watchSentinels(options, () => client.reconnect());
  return {
    ...client,
    close() {
      endWatch();
      client.close();
    },
  };
}

function clientOf(redis: Redis | Cluster): RedisClient {
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
    reconnect() {
      // a client that is interrupted while it asks a Sentinel for the master ends
      if (redis.status !== 'connecting') redis.disconnect(true);
    },
    close: () => redis.disconnect(),
  };
}

function batchWrites({ stream }: Redis): void {
  if (!stream || stream.writableCorked > 0) return; // undefined before the first connection
  stream.cork();
  process.nextTick(() => stream.uncork());
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
    retryDelayOnFailover: 0, // see NODE_OPTIONS
    maxRedirections: 3,
    // A certificate names hosts, not the addresses that they have.
    dnsLookup: (host, callback) => callback(null, host),
    slotsRefreshTimeout: 500,
    slotsRefreshInterval: 5_000,
    redisOptions: { ...NODE_OPTIONS, ...access, ...(protocol === 'rediss:' && { tls: {} }) },
  });
}
