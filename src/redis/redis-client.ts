import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** What is asked of Redis here; a server and a cluster answer alike. */
export type RedisClient = Pick<Redis, 'eval' | 'evalsha' | 'hdel' | 'set'>;
/** A connection that goes on connecting until it is closed. */
export interface RedisConnection {
  readonly client: RedisClient;
  /** Calls at each loss of a connection, before anything is asked over a new one: of the whole, or of one node of a cluster. */
  onLoss(act: (of: 'whole' | 'node') => void): void;
  /** What is asked in this turn of the event loop goes out in one write: one each takes longer than what Redis does with it. */
  gather(): void;
  /** Why there is no connection, where there is none. */
  trouble(): Error | undefined;
  /** Settles with the first connection; in a cluster, with one to each master. */
  readonly ready: Promise<void>;
  /** Drops what seems stuck, and connects again. */
  reconnect(): void;
  close(): void;
}

const reconnectAfter = (attempts: number): number => Math.min(attempts * 50, 500);

/**
 * Nothing is sent again after a loss: a request would be counted twice. How long an answer is waited for is the link's
 * to say (redis-link.ts).
 */
const NODE: RedisOptions = {
  connectTimeout: 500,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: reconnectAfter,
  connectionName: 'posts-gateway',
  disconnectTimeout: 200, // the end of a connection that never came about is waited for in vain, and the process with it
};

/** Connects to one server, or by several addresses to the cluster they belong to; returns at once, and never throws for a server that is away. */
export function connectRedis(urls: readonly string[]): RedisConnection {
  const [first = '', ...others] = urls;
  const redis =
    others.length === 0
      ? new Redis(first, { ...NODE, enableOfflineQueue: false })
      : clusterOf(urls);
  let latest: Error | undefined;
  const note = (error: Error): void => {
    latest = error;
  };
  redis
    .on('error', note)
    .on('node error', note)
    .on('ready', () => {
      latest = undefined;
    });
  return {
    client: redis,
    onLoss(act) {
      redis.on('close', () => act('whole')).on('-node', () => act('node'));
    },
    gather: redis instanceof Redis ? () => gather(redis) : () => undefined, // a cluster's nodes have a connection each
    trouble: () => latest,
    ready: new Promise<void>((resolve) => redis.once('ready', () => resolve())).then(() =>
      redis instanceof Cluster ? greetAll(redis) : undefined,
    ),
    reconnect: () => redis.disconnect(true),
    close: () => redis.disconnect(),
  };
}

function gather({ stream }: Redis): void {
  if (!stream || stream.writableCorked > 0) return; // none before the first connection
  stream.cork();
  setImmediate(() => stream.uncork());
}

/** Else the first request of each node would wait for its connection. */
const greetAll = async (cluster: Cluster): Promise<void> =>
  void (await Promise.allSettled(cluster.nodes('master').map((node) => node.ping())));

// Commands wait for a node that is being connected: the link's patience ends their wait, as any other.
function clusterOf(urls: readonly string[]): Cluster {
  const { username, password, protocol } = new URL(urls[0] ?? '');
  const access = {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
  };
  return new Cluster([...urls], {
    enableOfflineQueue: true,
    clusterRetryStrategy: reconnectAfter,
    maxRedirections: 3,
    slotsRefreshTimeout: 500,
    slotsRefreshInterval: 5_000,
    redisOptions: { ...NODE, ...access, ...(protocol === 'rediss:' && { tls: {} }) },
  });
}
