import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { PAGES_DIR, readPackageVersion } from '../config/package-paths.js';
import { readDemoFile } from '../demo/demo-file.js';
import type { GrantsVersions } from '../domain/access/cached-grants-lifetime.js';
import { WINDOW_MS } from '../domain/access/rate-window.js';
import type { Log } from '../domain/log.js';
import { createGraphqlHandler, createGraphqlServer } from '../graphql/server.js';
import type { AppHandlers } from '../http/app.js';
import { createAuthenticator, type Authenticator } from '../http/authentication/authenticator.js';
import { createFailureThrottle } from '../http/authentication/failure-throttle.js';
import { createPages } from '../http/pages.js';
import type { Worker } from '../jobs/worker.js';
import { createLog } from '../log/log.js';
import { createMcp, MCP_PATH } from '../mcp/mcp-handler.js';
import type { WorkerMetrics } from '../metrics/process-metrics.js';
import { createKeyStore } from '../persistence/access/key-store.js';
import { withReplicas } from '../persistence/replicas/replicated-database.js';
import {
  createInMemoryRateCounter,
  MAX_REQUEST_WINDOWS,
  MAX_FAILURE_WINDOWS,
} from '../redis/in-memory-rate-counter.js';
import {
  AUTHENTICATION_TIMES,
  openRedisState,
  type AuthenticationTimes,
  type RedisStatus,
  type RedisState,
} from '../redis/shared-redis-state.js';
import { createRestHandler, maxBodyBytesOf } from '../rest/router.js';
import { OPENAPI_PATH, ROUTES } from '../rest/routes.js';
import { createAccessControl, createCachedGrants } from '../services/access/access-control.js';
import type { Clock } from '../services/clock.js';
import type { StreamMetrics } from '../services/events/live-events.js';
import type { SharedStreamCounts } from '../services/events/stream-slots.js';
import type { Services } from '../services/services.js';
import type { Tracing } from '../tracing/process-tracing.js';
import { composePublishedFiles, composeStorageCheck } from './media.js';
import { composeNetworks } from './networks.js';
import { openMigratedDatabase, type ConfiguredDatabase } from './open-database.js';
import { composeLiveEvents, composeServices } from './services.js';
import { NO_TRACING, composeReadiness } from './telemetry.js';
import { composeWorker } from './worker.js';

/** The parts of a gateway process: handlers for the HTTP app, the database and the worker. */
export interface Gateway {
  readonly handlers: AppHandlers;
  readonly database: ConfiguredDatabase;
  /** Invalidate them after every change that affects grants. */
  readonly grantsVersions: GrantsVersions;
  /** Runs jobs in this process once started. */
  readonly worker: Worker;
  /** Ends all event streams: their clients connect again, to another process. */
  endStreams(): void;
  /**
   * Waits for running queries and closes the database. Stop accepting requests and stop the worker
   * first.
   */
  close(): Promise<void>;
}

/** Replacements for tests, and objects that the process has already created. */
export interface GatewayOverrides {
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly times?: AuthenticationTimes;
  readonly workerMetrics?: WorkerMetrics | undefined;
  readonly streamMetrics?: StreamMetrics | undefined;
  readonly tracing?: Tracing | undefined;
  /** URL of the process, once it listens: of media, unless MEDIA_BASE_URL is set. */
  readonly url?: () => string;
}

/**
 * Builds the object graph of a gateway process.
 * @throws Error of one line if the database is unusable or cannot be migrated to this build's
 * schema
 */
export async function composeGateway(
  config: Config,
  {
    clock: replacedClock,
    log = createLog(config.logLevel),
    workerMetrics,
    streamMetrics,
    tracing = NO_TRACING,
    url = () => `http://localhost:${config.port}`,
    ...times
  }: GatewayOverrides = {},
): Promise<Gateway> {
  const primary = await openMigratedDatabase(config, {
    poolSize: config.databasePoolSize,
    log,
    url,
  });
  const clock = replacedClock ?? primary.clock;
  try {
    const networks = composeNetworks(config, {
      clock,
      tracing,
      files: composePublishedFiles(config, primary),
    });
    const worker = composeWorker(config, primary, {
      log,
      clock,
      networks,
      metrics: workerMetrics,
      tracing,
    });
    const authentication = await openAuthentication(config, {
      database: primary,
      clock,
      log,
      ...times,
    });
    const { authenticator, database, grantsVersions, redisStatus, streamCounts } = authentication;
    const liveEvents = composeLiveEvents(config, {
      database,
      clock,
      log,
      streamCounts,
      metrics: streamMetrics,
    });
    const services = composeServices(config, {
      database,
      networks,
      liveEvents,
      clock,
      url,
      tracing,
      log,
      mediaMetrics: workerMetrics?.media,
    });
    const { isEmbedded: hasDemo } = database;
    const apis = composeApiHandlers(config, { services, authenticator, hasDemo, clock, log });
    return {
      handlers: {
        graphql: (...given) => database.inRequest(() => apis.graphql(...given)),
        rest: (...given) => database.inRequest(() => apis.rest(...given)),
        maxBodyBytes: maxBodyBytesOf,
        readiness: composeReadiness(database, composeStorageCheck(config), {
          redisStatus,
          hasMediaUrl: config.mediaBaseUrl !== undefined,
        }),
        isDatabaseResponsive: () => database.isResponsive(),
      },
      database,
      worker,
      grantsVersions,
      endStreams: () => liveEvents.endAll(),
      async close() {
        await liveEvents.close();
        authentication.close();
        await database.close();
      },
    };
  } catch (error) {
    await primary.close();
    throw error;
  }
}

interface ApiDependencies {
  readonly services: Services;
  readonly authenticator: Authenticator;
  /** Whether the database is the embedded one, which holds the demo. */
  readonly hasDemo: boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Names of the URLs at which the settings say that the gateway is reached. */
const hostNamesOf = ({ publicUrl, mediaBaseUrl }: Config): ReadonlySet<string> =>
  new Set([publicUrl, mediaBaseUrl].flatMap((url) => (url ? [new URL(url).hostname] : [])));

/** Builds the APIs and the pages for browsers. */
function composeApiHandlers(
  config: Config,
  { services, authenticator, hasDemo, clock, log }: ApiDependencies,
): Pick<AppHandlers, 'graphql' | 'rest'> {
  const { dataDir, playground: hasPlayground } = config;
  const server = createGraphqlServer({ services, clock, log });
  const { handlers: pages, playground } = createPages({
    folder: PAGES_DIR,
    hasPlayground,
    readDemo: async () => (hasDemo ? readDemoFile(dataDir) : null),
  });
  const mcp = createMcp({
    services,
    authenticator,
    clock,
    version: readPackageVersion(),
    hostNames: hostNamesOf(config),
    confirms: config.mcpConfirm,
    restApi: {
      document: OPENAPI_PATH,
      operations: ROUTES.map(({ method, path, summary }) => ({ method, path, summary })),
    },
    log,
  });
  const others = config.mcp ? [...pages, [MCP_PATH, mcp] as const] : pages;
  return {
    graphql: createGraphqlHandler({ authenticator, server, playground }),
    rest: createRestHandler({
      services,
      authenticator,
      pages: others,
      postPatch: server.postPatchType,
    }),
  };
}

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
