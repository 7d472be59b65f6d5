import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { waitFor } from '../fixtures/wait-for.js';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** SpanKind of OTLP: 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly hasError: boolean;
}

/** A collector that receives OTLP/HTTP in JSON. */
export interface OtlpReceiver {
  readonly url: string;
  /** Received so far. */
  readonly spans: readonly ReceivedSpan[];
  /** Bodies as they were sent. */
  readonly bodies: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** Waits for a span with this name. */
  spanNamed(name: string): Promise<ReceivedSpan>;
  close(): Promise<void>;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
}
type KeyValues = readonly { readonly key: string; readonly value: Value }[];
interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: KeyValues;
  readonly status: { readonly code?: number };
}
interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: KeyValues };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

const STATUS_ERROR = 2;

const toRecord = (entries: KeyValues): Record<string, string | number> =>
  Object.fromEntries(
    entries.map(({ key, value: { stringValue, intValue, doubleValue } }) => [
      key,
      stringValue ?? doubleValue ?? Number(intValue),
    ]),
  );

const toSpans = ({ resourceSpans }: OtlpBody): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, kind, attributes, status }) => ({
        service: String(toRecord(resource.attributes)['service.name']),
        traceId,
        spanId,
        parentSpanId: parentSpanId ?? null,
        name,
        kind,
        attributes: toRecord(attributes),
        hasError: status.code === STATUS_ERROR,
      })),
    ),
  );

/** Starts a collector on a free port. */
export async function anOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      if (request.url !== '/v1/traces') return response.writeHead(404).end();
      headers.push(request.headers);
      bodies.push(JSON.stringify(body));
      spans.push(...toSpans(body as OtlpBody));
      return response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    async spanNamed(name) {
      await waitFor(() => spans.some((span) => span.name === name));
      return spans.find((span) => span.name === name)!;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
