import type { Config } from '../config/config.js';
import { WINDOW_MS } from '../domain/access/rate-window.js';
import { createFailureThrottle } from '../http/authentication/failure-throttle.js';
import { createAuthenticator, type Authenticator } from '../http/authentication/authenticator.js';
import type { GrantsVersions } from '../domain/access/cached-grants-lifetime.js';
import { createKeyStore } from '../persistence/access/key-store.js';
import { withReplicas } from '../persistence/replicas/replicated-database.js';
import type { ConfiguredDatabase } from './open-database.js';
import type { Log } from '../domain/log.js';
import {
  createInMemoryRateCounter,
  MAX_FAILURE_WINDOWS,
  MAX_REQUEST_WINDOWS,
} from '../redis/in-memory-rate-counter.js';
import {
  AUTHENTICATION_TIMES,
  openRedisState,
  type RedisState,
  type AuthenticationTimes,
  type RedisStatus,
} from '../redis/shared-redis-state.js';
import { createAccessControl } from '../services/access/access-control.js';
import { createCachedGrants } from '../services/access/cached-grants.js';
import type { Clock } from '../services/clock.js';
import type { SharedStreamCounts } from '../services/events/stream-slots.js';

/** The authenticator of both APIs, and the Redis that it uses. */
interface OpenAuthentication {
  readonly authenticator: Authenticator;
  /** With the read replicas that the settings name. */
  readonly database: ConfiguredDatabase;
  /** To be invalidated after changes of this process that affect grants. */
  readonly grantsVersions: GrantsVersions;
  /** Null without Redis. */
  readonly streamCounts: SharedStreamCounts | null;
  redisStatus(): RedisStatus;
  close(): void;
}

interface AuthenticationDependencies {
  readonly database: ConfiguredDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly times?: AuthenticationTimes;
}

/** Opens the read replicas that the settings name. None of them has to be available. */
function addReplicas(
  { databaseReplicaUrls: urls, databaseReplicaMaxLagMs: maxLagMs, databasePoolSize }: Config,
  primary: ConfiguredDatabase,
  { redis, log }: { readonly redis: RedisState; readonly log: Log },
): ConfiguredDatabase {
  const { userPositions } = redis;
  if (urls.length === 0 || !userPositions) return primary;
  const replicated = withReplicas(primary, {
    urls,
    maxLagMs,
    poolSize: databasePoolSize,
    userPositions,
    onPositionsLost: (listener) => redis.onUnavailable(listener),
    log,
  });
  return { ...primary, ...replicated };
}

/** Opens Redis, if configured, and builds the authenticator. */
export async function openAuthentication(
  config: Config,
  { database: primary, clock, log, times = AUTHENTICATION_TIMES }: AuthenticationDependencies,
): Promise<OpenAuthentication> {
  const redis = await openRedisState(config, log, times);
  const database = addReplicas(config, primary, { redis, log });
  const cachedGrants = createCachedGrants(times);
  redis.onUnavailable(() => cachedGrants.clear());
  const authenticator = createAuthenticator({
    access: createAccessControl({
      keys: createKeyStore(database),
      cachedGrants,
      clock,
      defaultLimit: config.rateLimit,
      sharedCounter: redis.requests,
      localCounter: createInMemoryRateCounter({
        windowMs: times.requestWindowMs,
        maxWindows: MAX_REQUEST_WINDOWS,
      }),
    }),
    failures: createFailureThrottle({
      sharedCounter: redis.failures,
      localCounter: createInMemoryRateCounter({
        windowMs: WINDOW_MS.failures,
        maxWindows: MAX_FAILURE_WINDOWS,
      }),
    }),
    trustedProxies: config.trustedProxies,
    clock,
    setUser: (user) => database.setUser(user),
  });
  return {
    authenticator,
    grantsVersions: redis.grantsVersions,
    streamCounts: redis.streams,
    database,
    redisStatus: () => redis.status(),
    close: () => redis.close(),
  };
}
