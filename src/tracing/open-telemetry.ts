import { AsyncLocalStorage } from 'node:async_hooks';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { SpanDescription, Tracer } from './tracer.js';

/** Where traces are sent, and how they are named. */
export interface TracerOptions {
  /** URL of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Share of the new traces that are recorded, from 0 to 1. */
  readonly share: number;
  /** Called for the first of several consecutive failures to send spans. */
  readonly onExportError: (error: Error | undefined) => void;
}

/** A collector that does not respond must not delay the shutdown. */
const EXPORT_TIMEOUT_MS = 2_000;
const EXPORT_INTERVAL_MS = 2_000;

const KINDS = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
} as const satisfies Record<SpanDescription['kind'], SpanKind>;

/** Reports failures: the SDK drops the spans silently. */
function reportingFailures(
  exporter: SpanExporter,
  onExportError: TracerOptions['onExportError'],
): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code === ExportResultCode.FAILED;
        if (hasFailed && !isFailing) onExportError(result.error);
        isFailing = hasFailed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** Creates a tracer that sends its spans to a collector in batches. */
export function createOpenTelemetryTracer({
  endpoint,
  headers,
  serviceName,
  share,
  onExportError,
}: TracerOptions): Tracer & { close(): Promise<void> } {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingFailures(exporter, onExportError),
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('posts-gateway');
  const propagator = new W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Context>();

  function contextOf(parent: string | null | undefined): Context {
    if (parent === undefined) return current.getStore() ?? ROOT_CONTEXT;
    if (parent === null) return ROOT_CONTEXT;
    return propagator.extract(ROOT_CONTEXT, { traceparent: parent }, defaultTextMapGetter);
  }

  return {
    start({ name, kind, parent, attributes = {} }) {
      const context = contextOf(parent);
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, context);
      return {
        run: (work) => current.run(trace.setSpan(context, span), work),
        end({ name: finalName, attributes: more = {}, error } = {}) {
          if (finalName !== undefined) span.updateName(finalName);
          span.setAttributes(more);
          if (error != null) {
            span.setAttribute('error.type', error);
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
    traceparent() {
      const carrier: { traceparent?: string } = {};
      propagator.inject(current.getStore() ?? ROOT_CONTEXT, carrier, defaultTextMapSetter);
      return carrier.traceparent ?? null;
    },
    close: () => provider.shutdown(),
  };
}
