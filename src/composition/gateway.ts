import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { AppHandlers } from '../http/app.js';
import type { Worker } from '../jobs/worker.js';
import { createLog } from '../log/log.js';
import type { GrantsVersions } from '../domain/access/cached-grants-lifetime.js';
import type { AuthenticationTimes } from '../redis/shared-redis-state.js';
import { systemClock, type Clock } from '../services/clock.js';
import type { WorkerMetrics } from '../metrics/process-metrics.js';
import type { StreamMetrics } from '../services/events/live-events.js';
import type { Tracing } from '../tracing/process-tracing.js';
import { openAuthentication } from './authentication.js';
import { composeLiveEvents } from './live-events.js';
import { composeStoredMedia } from './media.js';
import { composeNetworks } from './networks.js';
import { openMigratedDatabase, type ConfiguredDatabase } from './open-database.js';
import { composeReadiness } from './readiness.js';
import { composeServices } from './services.js';
import { NO_TRACING } from './telemetry/tracing.js';
import { composeWorker } from './worker.js';
import { PAGES_DIR } from '../config/package-paths.js';
import { readDemoFile } from '../demo/demo-file.js';
import { createGraphqlHandler } from '../graphql/http-handler.js';
import { createGraphqlServer } from '../graphql/server.js';
import type { Authenticator } from '../http/authentication/authenticator.js';
import { createPages } from '../http/pages.js';
import { createRestHandler } from '../rest/router.js';
import type { Services } from '../services/services.js';

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
  /** URL of the process: of media, unless MEDIA_BASE_URL is set. */
  readonly url?: string;
}

/**
 * Builds the object graph of a gateway process.
 * @throws Error of one line if the database is unusable or cannot be migrated to this build's
 * schema
 */
export async function composeGateway(
  config: Config,
  {
    clock = systemClock,
    log = createLog(config.logLevel),
    workerMetrics,
    streamMetrics,
    tracing = NO_TRACING,
    url = `http://localhost:${config.port}`,
    ...times
  }: GatewayOverrides = {},
): Promise<Gateway> {
  const primary = await openMigratedDatabase(config, { poolSize: config.databasePoolSize, log });
  try {
    const networks = composeNetworks(config, {
      clock,
      tracing,
      storedMedia: composeStoredMedia(config, primary),
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
    });
    const { isEmbedded: hasDemo } = database;
    const apis = composeApiHandlers(config, { services, authenticator, hasDemo, clock, log });
    return {
      handlers: {
        graphql: (...given) => database.inRequest(() => apis.graphql(...given)),
        rest: (...given) => database.inRequest(() => apis.rest(...given)),
        readiness: composeReadiness(database, redisStatus),
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

/** Builds both APIs and the pages for browsers. */
function composeApiHandlers(
  { dataDir, playground: hasPlayground }: Config,
  { services, authenticator, hasDemo, clock, log }: ApiDependencies,
): Pick<AppHandlers, 'graphql' | 'rest'> {
  const server = createGraphqlServer({ services, clock, log });
  const { handlers: pages, playground } = createPages({
    folder: PAGES_DIR,
    hasPlayground,
    readDemo: async () => (hasDemo ? readDemoFile(dataDir) : null),
  });
  return {
    graphql: createGraphqlHandler({ authenticator, server, playground }),
    rest: createRestHandler({ services, authenticator, pages, postPatch: server.postPatchType }),
  };
}
