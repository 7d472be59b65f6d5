import type { Config } from '../config/config.js';
import { WINDOW_MS } from '../domain/access/rate-window.js';
import { createFailureThrottle } from '../http/authentication/failure-throttle.js';
import { createAuthenticator, type Authenticator } from '../http/authentication/authenticator.js';
import type { GrantsVersions } from '../services/access/grants-versions.js';
import type { Database } from '../persistence/database.js';
import { createKeyStore } from '../persistence/access/key-store.js';
import { createPrimaryPosition } from '../persistence/replicas/primary-position.js';
import type { Log } from '../services/log-port.js';
import {
  createInMemoryRateCounter,
  MAX_FAILURE_WINDOWS,
  MAX_REQUEST_WINDOWS,
} from '../redis/in-memory-rate-counter.js';
import {
  AUTHENTICATION_TIMES,
  openRedisState,
  type AuthenticationTimes,
  type RedisStatus,
} from '../redis/shared-redis-state.js';
import { createAccessControl } from '../services/access/access-control.js';
import { createCachedGrants } from '../services/access/cached-grants.js';
import type { Clock } from '../services/clock.js';
import type { SharedStreamCounts } from '../services/events/stream-slots.js';
import { createReadPositions, type ReadPositions } from '../services/replicas/read-positions.js';
import type { ReplicaProgress } from '../services/replicas/replica-ports.js';

/** The authenticator of both APIs, and the Redis that it uses. */
interface OpenAuthentication {
  readonly authenticator: Authenticator;
  /** To be invalidated after changes of this process that affect grants. */
  readonly grantsVersions: GrantsVersions;
  /** Null without Redis. */
  readonly streamCounts: SharedStreamCounts | null;
  /** Null without read replicas. */
  readonly readPositions: ReadPositions | null;
  redisStatus(): RedisStatus;
  close(): void;
}

interface AuthenticationDependencies {
  readonly database: Database;
  readonly replicas: ReplicaProgress;
  readonly clock: Clock;
  readonly log: Log;
  readonly times?: AuthenticationTimes;
}

/** Opens Redis, if configured, and builds the authenticator. */
export async function openAuthentication(
  config: Config,
  { database, replicas, clock, log, times = AUTHENTICATION_TIMES }: AuthenticationDependencies,
): Promise<OpenAuthentication> {
  const { databaseReplicaUrls, databaseReplicaMaxLagMs: maxLagMs } = config;
  const readsPositions = databaseReplicaUrls.length > 0;
  const redis = await openRedisState(config, log, { ...times, readsPositions });
  const { userPositions } = redis;
  const currentPosition = createPrimaryPosition(database);
  const readPositions =
    readsPositions && userPositions
      ? createReadPositions({ currentPosition, userPositions, replicas, maxLagMs })
      : null;
  const cachedGrants = createCachedGrants(times);
  redis.onUnavailable(() => {
    cachedGrants.clear();
    readPositions?.distrustStored();
  });
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
    readPositions,
  });
  return {
    authenticator,
    grantsVersions: redis.grantsVersions,
    streamCounts: redis.streams,
    readPositions,
    redisStatus: () => redis.status(),
    close: () => redis.close(),
  };
}
