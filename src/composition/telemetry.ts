import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { MIGRATIONS_DIR } from '../config/package-paths.js';
import type { MediaStorageState } from '../domain/diagnostics/diagnostic-facts.js';
import { GatewayError } from '../domain/errors.js';
import { JOB_KINDS } from '../domain/jobs/job-kinds.js';
import { NETWORKS } from '../domain/networks/networks.js';
import { presentGraphqlError } from '../graphql/errors.js';
import { createApp, type Readiness, type RequestMetrics } from '../http/app.js';
import type { ErrorPresenters } from '../http/errors.js';
import { assertReadMethod, writeResponse, type HttpHandler } from '../http/responses.js';
import { openServer } from '../http/server.js';
import type { WorkerMetrics } from '../metrics/process-metrics.js';
import { MAX_CLOCK_OFFSET_MS } from '../persistence/connections/database-clock.js';
import type { OpenDatabase, Database } from '../persistence/database.js';
import { createJobLoad } from '../persistence/jobs/open-job-counts.js';
import { migrationNames } from '../persistence/migrations.js';
import { createOldestDuePost } from '../persistence/publishing/publishing-pauses.js';
import { createReadinessCheck } from '../persistence/readiness.js';
import { singleFlight } from '../persistence/single-flight.js';
import { createOldestNumbers } from '../persistence/numbers/oldest-numbers.js';
import { createAccountLoad } from '../persistence/credentials/account-load.js';
import { createOldestDelivery } from '../persistence/webhooks/oldest-delivery.js';
import type { RedisStatus } from '../redis/shared-redis-state.js';
import { presentRestError } from '../rest/errors.js';
import type { StreamMetrics } from '../services/events/live-events.js';
import type { Tracing } from '../tracing/process-tracing.js';

/** What is read at each scrape. */
interface Sources {
  readonly database: OpenDatabase;
  readonly readiness: () => Promise<Readiness>;
}

/** The server on METRICS_PORT, with the metrics and health of the process. */
export interface MetricsServer {
  /** http:// with host and port; null if METRICS_PORT is not set. */
  readonly url: string | null;
  readonly requests?: RequestMetrics;
  readonly worker?: WorkerMetrics;
  readonly streams?: StreamMetrics;
  /** Serves /metrics and /readyz from now on. /healthz is served from the start. */
  collectFrom(sources: Sources): void;
  /** From now on /readyz is 503. */
  drain(): void;
  close(): Promise<void>;
}

/** Whether this process reads the numbers of published posts (D91). */
export const readsNumbers = ({ analytics, publishPosts }: Config): boolean =>
  analytics && publishPosts;

const NO_METRICS: MetricsServer = {
  url: null,
  collectFrom() {},
  drain() {},
  close: () => Promise.resolve(),
};

/**
 * Listens on METRICS_PORT if it is set; otherwise nothing is measured.
 * @throws Error of one line if the address cannot be used
 */
export async function openMetricsServer(config: Config, log: Logger): Promise<MetricsServer> {
  const { metricsPort: port, metricsHost: host } = config;
  if (port === undefined) return NO_METRICS;
  // only now: prom-client is slow to load
  const { createProcessMetrics } = await import('../metrics/process-metrics.js');
  const { requests, worker, streams, collectFrom, read } = createProcessMetrics({
    jobKinds: Object.keys(JOB_KINDS),
    networks: Object.keys(NETWORKS),
  });
  const app = createApp({
    log: log.child({}, { level: 'warn' }), // scrapes are too frequent to log
    errorPresenters: ERROR_PRESENTERS,
    isForOperators: true,
  });
  const server = await openServer(app, {
    host,
    port,
    settings: { port: 'METRICS_PORT', host: 'METRICS_HOST' },
  });
  return {
    url: server.url,
    requests,
    worker,
    streams,
    collectFrom({ database, readiness }) {
      collectFrom({
        pool: database.pool,
        clock: database.clock,
        replicas: () => database.replicaStates(),
        jobLoad: createJobLoad(database),
        oldestDuePost: createOldestDuePost(database),
        oldestDelivery: createOldestDelivery(database),
        oldestNumbers: readsNumbers(config)
          ? createOldestNumbers(database)
          : () => Promise.resolve(0),
        accountLoad: createAccountLoad(database),
        readiness,
      });
      app.mount({
        graphql: () => Promise.reject(new GatewayError('NOT_FOUND')),
        rest: serveMetrics(read),
        maxBodyBytes: () => 0,
        readiness,
        isDatabaseResponsive: () => Promise.resolve(true),
      });
    },
    drain: () => app.drain(),
    close: () => server.close(0),
  };
}

/** Serves /metrics in the Prometheus text format. Other paths get 404. */
const serveMetrics =
  (readMetrics: () => Promise<{ contentType: string; text: string }>): HttpHandler =>
  async (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') throw new GatewayError('NOT_FOUND');
    assertReadMethod(request, response);
    const { contentType, text } = await readMetrics();
    writeResponse(response, {
      status: 200,
      headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' },
      body: text,
    });
  };

/**
 * The module of each API that turns an error into a response. Neither may load a library: that
 * would delay /healthz at startup.
 */
export const ERROR_PRESENTERS: ErrorPresenters = {
  graphql: presentGraphqlError,
  rest: presentRestError,
};

/** Load balancers give up on a readiness check after one or two seconds. */
const STORAGE_TIMEOUT_MS = 1_000;

/**
 * The readiness check of a process. It requires a migrated database. The others are only reported:
 * without Redis each process counts requests separately (D37), a pause of publication (D56) and the
 * media storage concern a part of the requests, and the time is that of the database.
 */
export function composeReadiness(
  database: Pick<OpenDatabase, keyof Database | 'clock'>,
  storageState: () => Promise<MediaStorageState>,
  gateway?: { readonly redisStatus: () => RedisStatus; readonly hasMediaUrl: boolean },
): () => Promise<Readiness> {
  const checkDatabase = createReadinessCheck(database, migrationNames(MIGRATIONS_DIR));
  const checkStorage = singleFlight(storageState, {
    timeoutMs: STORAGE_TIMEOUT_MS,
    fallback: 'unavailable',
  });
  return async () => {
    const [{ publishing, ...required }, media] = await Promise.all([
      checkDatabase(),
      checkStorage(),
    ]);
    const clock = Math.abs(database.clock.offsetMs) < MAX_CLOCK_OFFSET_MS ? 'ok' : 'differs';
    return {
      isReady: Object.values(required).every((status) => status === 'ok'),
      checks: {
        ...required,
        publishing,
        clock,
        media,
        ...(gateway && {
          media_url: gateway.hasMediaUrl ? 'ok' : 'local',
          redis: gateway.redisStatus(),
        }),
      },
    };
  };
}

/** For processes that trace nothing. */
export const NO_TRACING: Tracing = {
  jobHandlers: (handlers) => handlers,
  httpClient: (client) => client,
  webhookSender: (sender) => sender,
  traceparent: () => null,
  close: () => Promise.resolve(),
};

/** Traces requests and jobs if OTEL_EXPORTER_OTLP_ENDPOINT is set. */
export async function openTracing(
  { otlpEndpoint, otlpHeaders, otelServiceName, traceShare }: Config,
  log: Logger,
): Promise<Tracing> {
  if (otlpEndpoint === undefined) return NO_TRACING;
  // only now: the packages of OpenTelemetry are slow to load
  const { createProcessTracing } = await import('../tracing/process-tracing.js');
  return createProcessTracing({
    endpoint: otlpEndpoint,
    headers: otlpHeaders,
    serviceName: otelServiceName,
    share: traceShare,
    onExportError: (error) =>
      log.warn({ err: error }, 'Failed to send traces to OTEL_EXPORTER_OTLP_ENDPOINT'),
  });
}
