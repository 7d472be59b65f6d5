import type { Config } from '../config/config.js';
import { WINDOW_MS } from '../domain/access/rate-window.js';
import { createFailureThrottle } from '../http/authentication/failure-throttle.js';
import { createGate, type Gate } from '../http/authentication/authenticator.js';
import type { AccessEpochs } from '../redis/grants-versions.js';
import type { Database } from '../persistence/database.js';
import { createKeyStore } from '../persistence/access/key-store.js';
import type { Log } from '../persistence/log.js';
import {
  createRateCounter,
  MOST_FAILURE_WINDOWS,
  MOST_REQUEST_WINDOWS,
} from '../redis/in-memory-rate-counter.js';
import {
  GATE_TIMES,
  openSharedMemory,
  type GateTimes,
  type RedisStanding,
} from '../redis/redis-state.js';
import { createAccess } from '../services/access/access.js';
import { createKnownGrants } from '../services/access/cached-grants.js';
import type { Clock } from '../services/ports.js';

/** The gate of both doors, and the Redis behind it, if there is one. */
interface OpenGate {
  readonly gate: Gate;
  /** For changes that this process makes to what grants depend on. */
  readonly epochs: AccessEpochs;
  redis(): RedisStanding;
  close(): void;
}

interface GateParts {
  readonly pool: Database['pool'];
  readonly clock: Clock;
  readonly log: Log;
  readonly times?: GateTimes;
}

export async function composeGate(
  config: Config,
  { pool, clock, log, times = GATE_TIMES }: GateParts,
): Promise<OpenGate> {
  const shared = await openSharedMemory(config, log, times);
  const known = createKnownGrants(times);
  shared.onAway(() => known.forgetAll());
  const gate = createGate({
    access: createAccess({
      keys: createKeyStore(pool),
      known,
      clock,
      defaultLimit: config.rateLimit,
      shared: shared.requests,
      own: createRateCounter({ length: times.requestWindow, maxWindows: MOST_REQUEST_WINDOWS }),
    }),
    failures: createFailureThrottle({
      shared: shared.failures,
      own: createRateCounter({ length: WINDOW_MS.failures, maxWindows: MOST_FAILURE_WINDOWS }),
    }),
    trustedProxies: config.trustedProxies,
    clock,
  });
  return {
    gate,
    epochs: shared.epochs,
    redis: () => shared.standing(),
    close: () => shared.close(),
  };
}
