import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Network } from '../../../src/domain/networks/networks.js';
import { recordRequest, splitHost } from './official-hosts.js';
import { findViolations, type Check, type Schema } from './request-schema.js';

/** A request as the network receives it. */
export interface ReceivedRequest {
  method: string;
  /** The official host that it was sent to; null if the network has none. */
  host: string | null;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
  bytes: Buffer;
}
export interface Reply {
  readonly status: number;
  readonly json?: unknown;
  readonly text?: string | Buffer;
  readonly headers?: Record<string, string>;
}

/**
 * One operation of a network's documented API; requests with anything undocumented are rejected.
 */
export interface Route {
  readonly method: string;
  /** The official host, where networks have the same paths. */
  readonly host?: string;
  /** The whole path, without the query. */
  readonly path: RegExp;
  /** Required headers. STANDARD_HEADERS are ignored. */
  readonly headers: Readonly<Record<string, Check>>;
  readonly query?: Schema;
  /** Schema of a JSON body; without it a JSON body is rejected. */
  readonly json?: Schema;
  readonly form?: Schema;
  /** Check of a file sent as the body. */
  readonly file?: Check;
  respond(request: ReceivedRequest, match: RegExpExecArray): Reply;
}

/**
 * Replaces the response: another reply, one that depends on the request, a connection closed in the
 * middle of the response, or no response. `lost-response`: the request has its effect, but no
 * response.
 */
export type Fault =
  Reply | ((request: ReceivedRequest) => Reply) | 'disconnect' | 'no-response' | 'lost-response';

export interface StandIn {
  readonly url: string;
  /** `METHOD path` of each request so far. */
  readonly requests: string[];
  /** Requests that violate the network's documentation. */
  readonly violations: string[];
  /** Clears `requests`, and replaces the response to the request with this index by the fault. */
  injectFault(index: number, fault: Fault): void;
  close(): Promise<void>;
}

/** Headers that HTTP or client libraries always send. */
const STANDARD_HEADERS = [
  'host',
  'connection',
  'user-agent',
  'accept',
  'content-length',
  'content-type',
  'transfer-encoding',
  'x-goog-api-client',
  'traceparent', // of a gateway that is traced
];

/**
 * Starts an HTTP server that implements a network's documentation and rejects what the network
 * would reject. Official hosts are the first segment of its paths (`hostsAt`). `network` says whose
 * the requests are where networks share a host.
 */
export async function startStandIn(
  routes: readonly Route[],
  errorBody: (status: number, message: string) => unknown,
  network?: Network | ((headers: Readonly<Record<string, string>>) => Network | undefined),
): Promise<StandIn> {
  const requests: string[] = [];
  const violations: string[] = [];
  const faults = new Map<number, Fault>();

  function replyTo(request: ReceivedRequest): Reply {
    const reject = (status: number, message: string): Reply => {
      violations.push(`${request.method} ${request.path}: ${message}`);
      return { status, json: errorBody(status, message) };
    };
    const route = routes.find(
      ({ method, host, path }) =>
        method === request.method &&
        (host === undefined || host === request.host) &&
        path.test(request.path),
    );
    if (!route) return reject(404, 'unknown path');
    const problems = [
      ...headerViolations(request, route),
      ...findViolations(request.query, route.query ?? {}).map((problem) => `query: ${problem}`),
      ...bodyViolations(request, route),
    ];
    return problems.length > 0
      ? reject(400, problems.join('; '))
      : route.respond(request, route.path.exec(request.path)!);
  }

  const server = createServer((message, response) => {
    void readRequest(message, network).then((request) => {
      requests.push(`${request.method} ${request.path}`);
      const fault = faults.get(requests.length - 1);
      if (fault === 'no-response') return;
      if (fault === 'lost-response') {
        replyTo(request);
        return;
      }
      if (fault === 'disconnect') return disconnect(response);
      const reply = typeof fault === 'function' ? fault(request) : (fault ?? replyTo(request));
      writeReply(response, reply);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    violations,
    injectFault(index, fault) {
      requests.length = 0;
      faults.clear();
      faults.set(index, fault);
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function headerViolations({ headers }: ReceivedRequest, route: Route): string[] {
  const unknownNames = Object.keys(headers).filter(
    (name) => !STANDARD_HEADERS.includes(name) && !(name in route.headers),
  );
  return [
    ...unknownNames.map((name) => `unknown header ${name}`),
    ...Object.entries(route.headers).flatMap(([name, check]) =>
      [check(headers[name]) ?? []].flat().map((problem) => `header ${name} ${problem}`),
    ),
  ];
}

function bodyViolations(
  { headers, body, bytes }: ReceivedRequest,
  { json, form, file }: Route,
): string[] {
  const type = headers['content-type'] ?? '';
  if (json)
    return /^application\/json\b/.test(type)
      ? findViolations(body, json)
      : ['the body is not JSON'];
  if (form)
    return /^application\/x-www-form-urlencoded\b/.test(type)
      ? findViolations(Object.fromEntries(new URLSearchParams(bytes.toString())), form)
      : ['the body is not a form'];
  if (file) return [file(bytes) ?? []].flat();
  return bytes.length > 0 ? ['unexpected body'] : [];
}

async function readRequest(
  message: IncomingMessage,
  of: Parameters<typeof startStandIn>[2],
): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const { host, path: target } = splitHost(message.url!);
  const headers = message.headers as Record<string, string>;
  const method = message.method!;
  const network = typeof of === 'function' ? of(headers) : of;
  if (host !== null) await recordRequest({ network, method, host, target, headers, bytes });
  const { pathname, searchParams } = new URL(target, 'http://stand-in');
  const isJson = /^application\/json\b/.test(message.headers['content-type'] ?? '');
  return {
    method,
    host,
    path: pathname,
    query: Object.fromEntries(searchParams),
    bytes,
    headers,
    body: isJson ? JSON.parse(bytes.toString()) : undefined,
  };
}

function writeReply(response: ServerResponse, { status, json, text, headers = {} }: Reply): void {
  const body = json === undefined ? (text ?? '') : JSON.stringify(json);
  response
    .writeHead(status, {
      ...(json !== undefined && { 'Content-Type': 'application/json; charset=utf-8' }),
      ...headers,
    })
    .end(body);
}

function disconnect(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"id":', () => response.destroy());
}
