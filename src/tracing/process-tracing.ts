import type { JobOutcome } from '../domain/jobs/job.js';
import type { RequestTracing } from '../http/app.js';
import type { HttpClient } from '../networks/http-client/http-client.js';
import type { JobHandler, JobHandlers } from '../services/jobs/job-handler.js';
import type { WebhookSender } from '../services/webhooks/webhook-sender.js';
import { createOpenTelemetryTracer, type TracerOptions } from './open-telemetry.js';
import { inSpan, type SpanResult, type Tracer } from './tracer.js';

/** Adds spans to the parts of a process. Without tracing, each part is returned as it is. */
export interface Tracing {
  /** Absent if nothing is traced. */
  readonly requests?: RequestTracing;
  jobHandlers<Handlers extends Partial<JobHandlers>>(handlers: Handlers): Handlers;
  httpClient(client: HttpClient): HttpClient;
  webhookSender(sender: WebhookSender): WebhookSender;
  /** The current span in the format of the header `traceparent`; null if there is none. */
  traceparent(): string | null;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Creates the tracing of a process that sends its spans to a collector. */
export function createProcessTracing(options: TracerOptions): Tracing {
  const tracer = createOpenTelemetryTracer(options);
  return {
    requests: traceRequests(tracer),
    jobHandlers: (handlers) => traceJobHandlers(tracer, handlers),
    httpClient: (client) => traceHttpClient(tracer, client),
    webhookSender: (sender) => traceWebhookSender(tracer, sender),
    traceparent: () => tracer.traceparent(),
    close: () => tracer.close(),
  };
}

const SERVER_ERROR = 500;

/**
 * Traces requests by their operation. Failures that clients cause are no errors of the span, but
 * have an error code.
 */
const traceRequests = (tracer: Tracer): RequestTracing => ({
  started({ method = 'GET', headers }) {
    const traceparent = headers['traceparent'];
    const span = tracer.start({
      name: method, // until the operation is known
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : null,
      attributes: { 'http.request.method': method },
    });
    return {
      run: (work) => span.run(work),
      end({ api, status, context: { operation, errorCode } }) {
        const code = errorCode ?? (status >= SERVER_ERROR ? String(status) : null);
        const isFailure =
          status >= SERVER_ERROR || code === 'INTERNAL_SERVER_ERROR' || code === 'UNAVAILABLE';
        span.end({
          name: operation,
          attributes: {
            'http.response.status_code': status,
            'posts_gateway.api': api,
            ...(code !== null && { 'posts_gateway.error_code': code }),
          },
          error: isFailure ? code : null,
        });
      },
    };
  },
});

const describeOutcome = (outcome: JobOutcome): SpanResult => ({
  attributes: { 'posts_gateway.job.outcome': outcome.kind },
  error: outcome.kind === 'failed' ? (outcome.failures[0]?.code ?? 'failed') : null,
});

const traceHandler =
  (tracer: Tracer, handle: JobHandler): JobHandler =>
  (run) =>
    inSpan(
      tracer,
      {
        name: `job ${run.kind}`,
        kind: 'consumer',
        parent: run.traceparent,
        attributes: {
          'posts_gateway.job.id': run.id,
          'posts_gateway.job.kind': run.kind,
          'posts_gateway.job.attempt': run.attempt,
        },
      },
      { work: () => handle(run), describe: describeOutcome },
    );

/** Traces each attempt as part of the request that created the job. */
const traceJobHandlers = <Handlers extends Partial<JobHandlers>>(
  tracer: Tracer,
  handlers: Handlers,
): Handlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([kind, handle]) => [kind, traceHandler(tracer, handle)]),
  ) as Handlers;

/**
 * Traces the requests to networks, and sends `traceparent` with them. URLs are left out: they
 * contain IDs and, for some networks, tokens.
 */
const traceHttpClient = (tracer: Tracer, client: HttpClient): HttpClient => ({
  ...client,
  send: (request) =>
    inSpan(
      tracer,
      {
        name: `${request.method} ${request.networkName}`,
        kind: 'client',
        attributes: {
          'http.request.method': request.method,
          'posts_gateway.network': request.networkName,
        },
      },
      {
        work() {
          const headers = new Headers(request.headers);
          const traceparent = tracer.traceparent();
          if (traceparent !== null) headers.set('traceparent', traceparent);
          return client.send({ ...request, headers });
        },
        describe: ({ status }) => ({
          attributes: { 'http.response.status_code': status },
          error: status >= 400 ? String(status) : null,
        }),
      },
    ),
});

/** Traces the messages to receivers of webhooks. */
const traceWebhookSender = (tracer: Tracer, sender: WebhookSender): WebhookSender => ({
  ...sender,
  send: (message) =>
    inSpan(
      tracer,
      { name: 'POST webhook', kind: 'client', attributes: { 'http.request.method': 'POST' } },
      {
        work: () => sender.send(message),
        describe: (response) =>
          response.kind === 'response'
            ? {
                attributes: { 'http.response.status_code': response.status },
                error: response.status >= 400 ? String(response.status) : null,
              }
            : { error: 'no_response' },
      },
    ),
});
