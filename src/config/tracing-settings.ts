import { isUrlOf, type Setting } from './setting.js';

const HEADER = /^([!#$%&'*+.^_`|~\w-]+)=([^,]*)$/;

/** Headers as `name=value`, separated by commas, with percent-encoded values. */
function readHeaders(text: string): Record<string, string> | undefined {
  try {
    const headers = text.split(',').map((entry) => HEADER.exec(entry.trim()));
    if (headers.includes(null)) return undefined;
    return Object.fromEntries(
      headers.map((header) => [header![1]!, decodeURIComponent(header![2]!.trim())]),
    );
  } catch {
    return undefined; // malformed percent-encoding
  }
}

export const otlpEndpoint: Setting<string | undefined> = {
  name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  description:
    'URL of an OpenTelemetry collector, to which traces are sent over OTLP/HTTP as JSON, at the path /v1/traces. If unset, nothing is traced.',
  allowed: 'http://… or https://…',
  default: '',
  whenUnset: () => undefined,
  read: (text) => (isUrlOf(/^https?:$/, text) ? text.replace(/\/+$/, '') : undefined),
};

export const otlpHeaders: Setting<Readonly<Record<string, string>>> = {
  name: 'OTEL_EXPORTER_OTLP_HEADERS',
  isSecret: true,
  requires: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  description: 'Headers of the requests to the collector, such as an API key.',
  allowed: 'name=value, separated by commas, with percent-encoded values',
  default: '',
  whenUnset: () => ({}),
  read: readHeaders,
};

const SERVICE_NAME = 'posts-gateway';
export const otelServiceName: Setting<string> = {
  name: 'OTEL_SERVICE_NAME',
  description: 'Name of the service in traces.',
  allowed: 'a name of up to 255 characters',
  default: SERVICE_NAME,
  whenUnset: () => SERVICE_NAME,
  read: (text) => (text.length <= 255 ? text : undefined),
};

export const traceShare: Setting<number> = {
  name: 'OTEL_TRACES_SAMPLER_ARG',
  description:
    'Share of the requests and jobs that are traced. A request with a traceparent header is traced if its caller traces it.',
  allowed: 'a number from 0 to 1',
  default: '1',
  whenUnset: () => 1,
  read: (text) => (/^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : undefined),
};
