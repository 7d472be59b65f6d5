import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { GatewayError } from '../../domain/errors.js';
import { JOB_KINDS } from '../../domain/jobs/job-kinds.js';
import { NETWORKS } from '../../domain/networks/networks.js';
import { createApp, type Readiness, type RequestMetrics } from '../../http/app.js';
import { assertReadMethod, writeResponse, type HttpHandler } from '../../http/responses.js';
import { openServer } from '../../http/server.js';
import type { OpenDatabase } from '../../persistence/database.js';
import { createJobLoad } from '../../persistence/jobs/open-job-counts.js';
import { createOldestDuePost } from '../../persistence/publishing/publishing-pauses.js';
import { createOldestDelivery } from '../../persistence/webhooks/oldest-delivery.js';
import type { WorkerMetrics } from '../../metrics/process-metrics.js';
import type { StreamMetrics } from '../../services/events/live-events.js';
import { ERROR_PRESENTERS } from '../error-presenters.js';

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
export async function openMetricsServer(
  { metricsPort: port, metricsHost: host }: Config,
  log: Logger,
): Promise<MetricsServer> {
  if (port === undefined) return NO_METRICS;
  // only now: prom-client is slow to load
  const { createProcessMetrics } = await import('../../metrics/process-metrics.js');
  const { requests, worker, streams, collectFrom, read } = createProcessMetrics({
    jobKinds: Object.keys(JOB_KINDS),
    networks: Object.keys(NETWORKS),
  });
  const app = createApp({
    log: log.child({}, { level: 'warn' }), // scrapes are too frequent to log
    errorPresenters: ERROR_PRESENTERS,
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
        replicas: () => database.replicaStates(),
        jobLoad: createJobLoad(database),
        oldestDuePost: createOldestDuePost(database),
        oldestDelivery: createOldestDelivery(database),
        readiness,
      });
      app.mount({
        graphql: () => Promise.reject(new GatewayError('NOT_FOUND')),
        rest: serveMetrics(read),
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
