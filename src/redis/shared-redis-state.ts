import { GRANT_LEASE_MS, type GrantsVersions } from '../domain/access/cached-grants-lifetime.js';
import { WINDOW_MS } from '../domain/access/rate-window.js';
import type { SharedRateCounter } from '../services/access/rate-counters.js';
import type { SharedStreamCounts } from '../services/events/stream-slots.js';
import type { Log } from '../domain/log.js';
import { createGrantsVersions, NO_GRANTS_VERSIONS } from './grants-versions.js';
import { createRateWindows } from './rate-windows.js';
import { createUserPositions } from './user-positions.js';
import { createStreamCounts } from './stream-counts.js';
import { openRedisConnection, type RedisConnection } from './redis-connection.js';

/** The settings of Redis. */
export interface RedisSettings {
  /** Empty without Redis; several addresses of a cluster. */
  readonly redisUrls: readonly string[];
  readonly redisPrefix: string;
}

/** Durations of authentication, which tests shorten. */
export interface AuthenticationTimes {
  /** Length of the rate limit windows of requests. */
  readonly requestWindowMs: number;
  /** How long a gateway uses a cached grant. */
  readonly grantLeaseMs: number;
}
/** The durations in production. */
export const AUTHENTICATION_TIMES: AuthenticationTimes = {
  requestWindowMs: WINDOW_MS.requests,
  grantLeaseMs: GRANT_LEASE_MS,
};

/** Status of Redis. While it is unavailable, each process counts requests separately. */
export type RedisStatus = 'ok' | 'unavailable' | 'unused';

/** State that all gateways share through Redis. */
export interface RedisState {
  /** Windows of requests by user (D37); null without Redis. */
  readonly requests: SharedRateCounter | null;
  /** Windows of failed authentications by address (D38); null without Redis. */
  readonly failures: SharedRateCounter | null;
  /** Open streams by key (D74); null without Redis. */
  readonly streams: SharedStreamCounts | null;
  readonly grantsVersions: GrantsVersions;
  /** Null without Redis. */
  readonly userPositions: ReturnType<typeof createUserPositions> | null;
  /** Calls `listener` whenever cached grants may be stale, and counts and positions may be lost. */
  onUnavailable(listener: () => void): void;
  status(): RedisStatus;
  close(): void;
}

const NO_REDIS: RedisState = {
  requests: null,
  failures: null,
  streams: null,
  userPositions: null,
  grantsVersions: NO_GRANTS_VERSIONS,
  onUnavailable() {},
  status: () => 'unused',
  close() {},
};

/** Opens Redis for a gateway. */
export async function openRedisState(
  settings: RedisSettings,
  log: Log,
  { requestWindowMs, grantLeaseMs }: AuthenticationTimes,
): Promise<RedisState> {
  if (settings.redisUrls.length === 0) return NO_REDIS;
  const redis = await openRedisConnection(settings, log);
  const openConnection = (): Promise<RedisConnection> => Promise.resolve(redis);
  return {
    requests: createRateWindows(redis, 'rate', {
      windowMs: requestWindowMs,
    }),
    failures: createRateWindows(redis, 'failures', { windowMs: WINDOW_MS.failures }),
    streams: createStreamCounts(redis),
    userPositions: createUserPositions(redis),
    grantsVersions: createGrantsVersions({ openConnection, log, leaseMs: grantLeaseMs }),
    onUnavailable: (listener) => redis.onUnavailable(listener),
    status: () => (redis.isAvailable() ? 'ok' : 'unavailable'),
    close: () => redis.close(),
  };
}

/** Opens Redis for a command at its first change of grants: most commands never need it. */
export function openGrantsVersions(
  settings: RedisSettings,
  log: Log,
  { grantLeaseMs }: AuthenticationTimes = AUTHENTICATION_TIMES,
): GrantsVersions & { close(): Promise<void> } {
  if (settings.redisUrls.length === 0)
    return { ...NO_GRANTS_VERSIONS, close: () => Promise.resolve() };
  // the connection's log lines are about gateways, not commands
  const noLog: Log = { info() {}, warn() {} };
  let opened: Promise<RedisConnection> | undefined;
  const openConnection = (): Promise<RedisConnection> =>
    (opened ??= openRedisConnection(settings, noLog));
  return {
    ...createGrantsVersions({ openConnection, log, leaseMs: grantLeaseMs }),
    close: async () => (await opened)?.close(),
  };
}
