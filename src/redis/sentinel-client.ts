import { Redis, type RedisOptions } from 'ioredis';

const DEFAULT_PORT = 26_379;
/** Bounds the wait for a Sentinel that accepts connections but does not respond. */
const COMMAND_TIMEOUT_MS = 500;
const SWITCHED = '+switch-master';

/**
 * Options of a client that asks Sentinels for the master. There is one URL per Sentinel, such as
 * `redis+sentinel://user:password@host:port/master-name/database`. User and password are those of
 * the master; the parameters `sentinelUsername` and `sentinelPassword` are those of the Sentinels.
 * `rediss` applies TLS to both.
 */
export function readSentinelOptions(urls: readonly string[]): RedisOptions {
  const parsed = urls.map((url) => new URL(url));
  const { protocol, username, password, pathname, searchParams } = parsed[0]!;
  const [, name, database] = pathname.split('/');
  return {
    name,
    sentinels: parsed.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port) || DEFAULT_PORT,
    })),
    db: Number(database ?? 0),
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    sentinelUsername: searchParams.get('sentinelUsername') ?? undefined,
    sentinelPassword: searchParams.get('sentinelPassword') ?? undefined,
    sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
    ...(protocol === 'rediss+sentinel:' && {
      tls: {},
      sentinelTLS: {},
      enableTLSForSentinelMode: true,
    }),
  };
}

/**
 * Calls `onSwitch` whenever a Sentinel reports a new master, because the connection to the old one
 * can stay open: to a frozen host, or to a server that does not know yet that it was replaced.
 *
 * The option `failoverDetector` of ioredis does the same, but if the report arrives while the
 * client asks a Sentinel for the master, the client never connects again. It also prints every
 * failed connection to a Sentinel.
 * @returns a function that ends it
 */
export function watchSentinels(options: RedisOptions, onSwitch: () => void): () => void {
  const { name, sentinels, retryStrategy, connectTimeout, disconnectTimeout } = options;
  const watchers = (sentinels ?? []).map((address) =>
    new Redis({
      ...address,
      username: options.sentinelUsername,
      password: options.sentinelPassword,
      tls: options.sentinelTLS,
      retryStrategy,
      connectTimeout,
      disconnectTimeout,
      maxRetriesPerRequest: null, // the subscription waits for the connection
      enableReadyCheck: false,
    })
      .on('error', () => undefined)
      .on('message', (_channel: string, message: string) => {
        if (message.startsWith(`${name} `)) onSwitch();
      }),
  );
  for (const watcher of watchers) watcher.subscribe(SWITCHED).catch(() => undefined);
  return () => watchers.forEach((watcher) => watcher.disconnect());
}
