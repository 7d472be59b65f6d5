import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import type { Tracing } from '../../tracing/process-tracing.js';

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
  const { createProcessTracing } = await import('../../tracing/process-tracing.js');
  return createProcessTracing({
    endpoint: otlpEndpoint,
    headers: otlpHeaders,
    serviceName: otelServiceName,
    share: traceShare,
    onExportError: (error) =>
      log.warn({ err: error }, 'Failed to send traces to OTEL_EXPORTER_OTLP_ENDPOINT'),
  });
}
