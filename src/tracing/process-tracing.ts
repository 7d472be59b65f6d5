import type { RequestTracing } from '../http/app.js';
import type { HttpClient } from '../networks/http-client/http-client.js';
import type { JobHandlers } from '../services/jobs/job-handler.js';
import type { WebhookSender } from '../services/webhooks/webhook-sender.js';
import { createOpenTelemetryTracer, type TracerOptions } from './open-telemetry.js';
import { traceJobHandlers } from './traced-jobs.js';
import { traceHttpClient, traceWebhookSender } from './traced-networks.js';
import { traceRequests } from './traced-requests.js';

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
