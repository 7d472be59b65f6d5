import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RequestMetrics } from '../http/app.js';
import type { Api, CompletedRequest } from '../http/request-in-progress.js';
import type { StreamEndLabel, StreamMetrics } from '../services/events/live-events.js';

/** Upper bounds in seconds, from the fastest responses to the database's statement timeout. */
export const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15,
];

/** The requests of one operation of an API. */
interface OperationSeries {
  readonly requestsByStatus: Map<number, number>;
  observeDuration(seconds: number): void;
}

/** Errors of the service, not of its clients. They have a series from the start, for alerts. */
const SERVICE_ERRORS = [
  'INTERNAL_SERVER_ERROR',
  'UNAVAILABLE',
] as const satisfies readonly CompletedRequest['context']['errorCode'][];

type ByApi<T> = Readonly<Record<Api, Map<string, T>>>;
const mapPerApi = <T>(): ByApi<T> => ({
  graphql: new Map(),
  rest: new Map(),
  health: new Map(),
});

/**
 * Counts completed requests. A request looks up its operation and increments numbers; the labels of
 * the counters are built when the metrics are scraped. Operation names come from the code, so that
 * clients cannot create series.
 */
export function createRequestMetrics(register: Registry): RequestMetrics {
  const operations = mapPerApi<OperationSeries>();
  const errors = mapPerApi<number>();
  const rateChecks = {
    redis: { allowed: 0, refused: 0 },
    memory: { allowed: 0, refused: 0 },
  };
  let inFlight = 0;

  const durations = new Histogram({
    name: 'posts_gateway_request_duration_seconds',
    labelNames: ['api', 'operation'],
    buckets: DURATION_BUCKETS,
    registers: [register],
    help: 'Time from the first byte of a request to the last byte of its response, by API and operation.',
  });
  for (const api of ['graphql', 'rest'] as const)
    for (const code of SERVICE_ERRORS) errors[api].set(code, 0);
  collectRequests(register, operations);
  collectErrors(register, errors);
  collectRateChecks(register, rateChecks);
  collectInFlight(register, () => inFlight);

  function addOperation(api: Api, operation: string): OperationSeries {
    const series = {
      requestsByStatus: new Map<number, number>(),
      observeDuration: durations.labels({ api, operation }).observe,
    };
    operations[api].set(operation, series);
    return series;
  }

  return {
    started() {
      inFlight += 1;
    },
    completed({ api, context: { operation, errorCode, rate }, status, seconds }: CompletedRequest) {
      inFlight -= 1;
      const { requestsByStatus, observeDuration } =
        operations[api].get(operation) ?? addOperation(api, operation);
      requestsByStatus.set(status, (requestsByStatus.get(status) ?? 0) + 1);
      observeDuration(seconds);
      if (rate !== null)
        rateChecks[rate.isShared ? 'redis' : 'memory'][rate.allowed ? 'allowed' : 'refused'] += 1;
      if (errorCode !== null) errors[api].set(errorCode, (errors[api].get(errorCode) ?? 0) + 1);
    },
  };
}

function collectRequests(register: Registry, operations: ByApi<OperationSeries>): void {
  new Counter({
    name: 'posts_gateway_requests_total',
    labelNames: ['api', 'operation', 'status'],
    registers: [register],
    help: 'Completed requests, by API, operation and HTTP status; 499 if the client disconnected before the response.',
    collect() {
      this.reset();
      for (const [api, series] of Object.entries(operations))
        for (const [operation, { requestsByStatus }] of series)
          for (const [status, count] of requestsByStatus)
            this.inc({ api, operation, status }, count);
    },
  });
}

function collectErrors(register: Registry, errors: ByApi<number>): void {
  new Counter({
    name: 'posts_gateway_request_errors_total',
    labelNames: ['api', 'code'],
    registers: [register],
    help: 'Requests that failed, by API and the code of the first error: authentication, rate limits, malformed input, internal errors. Refusals by domain rules are not included.',
    collect() {
      this.reset();
      for (const [api, codes] of Object.entries(errors))
        for (const [code, count] of codes) this.inc({ api, code }, count);
    },
  });
}

function collectRateChecks(
  register: Registry,
  checks: Readonly<Record<string, Readonly<Record<string, number>>>>,
): void {
  new Counter({
    name: 'posts_gateway_rate_limit_checks_total',
    labelNames: ['source', 'outcome'],
    registers: [register],
    help: 'Rate limit checks, by the counter used (redis: shared by all processes; memory: this process) and outcome.',
    collect() {
      this.reset();
      for (const [source, outcomes] of Object.entries(checks))
        for (const [outcome, count] of Object.entries(outcomes))
          this.inc({ source, outcome }, count);
    },
  });
}

function collectInFlight(register: Registry, count: () => number): void {
  new Gauge({
    name: 'posts_gateway_requests_in_flight',
    help: 'Requests being processed, queued ones included.',
    registers: [register],
    collect() {
      this.set(count());
    },
  });
}

/** Values of the label `reason`. */
const END_REASONS: readonly StreamEndLabel[] = ['closed', 'too_slow', 'shutdown', 'error'];

/** Counts event streams. Series exist from the start, so that rates include the first stream. */
export function createStreamMetrics(register: Registry): StreamMetrics {
  const open = new Gauge({
    name: 'posts_gateway_event_streams',
    registers: [register],
    help: 'Open event streams.',
  });
  const delivered = new Counter({
    name: 'posts_gateway_streamed_events_total',
    registers: [register],
    help: 'Events sent to event streams. An event counts once for each stream.',
  });
  const closed = new Counter({
    name: 'posts_gateway_event_streams_ended_total',
    labelNames: ['reason'],
    registers: [register],
    help: 'Ended event streams, by reason: closed by the client, too_slow (the client did not read), shutdown of the process, or error, such as a revoked key.',
  });
  for (const reason of END_REASONS) closed.inc({ reason }, 0);
  return {
    opened: () => open.inc(),
    delivered: () => delivered.inc(),
    closed(reason) {
      open.dec();
      closed.inc({ reason });
    },
  };
}
