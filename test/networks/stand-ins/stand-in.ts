import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { flawsOf, type Check, type Shape } from './shape.js';

/** A request as the network has it. */
export interface Received {
  method: string;
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

/** One call of a network's documented interface: what it takes, and nothing else. */
export interface Route {
  readonly method: string;
  /** The whole path, without the query. */
  readonly path: RegExp;
  /** Those that the call needs; what HTTP itself sends is not looked at. */
  readonly headers: Readonly<Record<string, Check>>;
  readonly query?: Shape;
  /** A JSON body; none is allowed where there is no shape for it. */
  readonly json?: Shape;
  readonly form?: Shape;
  /** A file, as it is. */
  readonly file?: Check;
  answer(request: Received, match: RegExpExecArray): Reply;
}

/** What happens instead of the answer: a reply, a connection that is cut in the middle of one, or silence. */
export type Fault = Reply | 'cut' | 'silence';

export interface StandIn {
  readonly url: string;
  /** `METHOD path` of each request so far. */
  readonly received: string[];
  /** What a network would not have taken. */
  readonly complaints: string[];
  /** From now on the request of that number (from 0) meets the fault. */
  breakAt(number: number, fault: Fault): void;
  close(): Promise<void>;
}

/** Headers that are HTTP's own, or every client's. */
const ORDINARY = [
  'host',
  'connection',
  'user-agent',
  'accept',
  'content-length',
  'content-type',
  'transfer-encoding',
  'x-goog-api-client',
];

/** An HTTP server that answers as a network documents it, and refuses what the network would refuse. */
export async function openStandIn(
  routes: readonly Route[],
  refusal: (status: number, words: string) => unknown,
): Promise<StandIn> {
  const received: string[] = [];
  const complaints: string[] = [];
  const faults = new Map<number, Fault>();

  function replyTo(request: Received): Reply {
    const complain = (status: number, words: string): Reply => {
      complaints.push(`${request.method} ${request.path}: ${words}`);
      return { status, json: refusal(status, words) };
    };
    const route = routes.find(
      ({ method, path }) => method === request.method && path.test(request.path),
    );
    if (!route) return complain(404, 'there is no such call');
    const flaws = [
      ...headerFlaws(request, route),
      ...flawsOf(request.query, route.query ?? {}).map((flaw) => `query: ${flaw}`),
      ...bodyFlaws(request, route),
    ];
    return flaws.length > 0
      ? complain(400, flaws.join('; '))
      : route.answer(request, route.path.exec(request.path)!);
  }

  const server = createServer((message, response) => {
    void read(message).then((request) => {
      received.push(`${request.method} ${request.path}`);
      const fault = faults.get(received.length - 1);
      if (fault === 'silence') return;
      if (fault === 'cut') return cut(response);
      write(response, fault ?? replyTo(request));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    complaints,
    breakAt(number, fault) {
      received.length = 0;
      faults.clear();
      faults.set(number, fault);
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function headerFlaws({ headers }: Received, route: Route): string[] {
  const unknown = Object.keys(headers).filter(
    (name) => !ORDINARY.includes(name) && !(name in route.headers),
  );
  return [
    ...unknown.map((name) => `the header ${name} is not known`),
    ...Object.entries(route.headers).flatMap(([name, check]) =>
      [check(headers[name]) ?? []].flat().map((flaw) => `the header ${name} ${flaw}`),
    ),
  ];
}

function bodyFlaws({ headers, body, bytes }: Received, { json, form, file }: Route): string[] {
  const type = headers['content-type'] ?? '';
  if (json)
    return /^application\/json\b/.test(type) ? flawsOf(body, json) : ['the body is not JSON'];
  if (form)
    return /^application\/x-www-form-urlencoded\b/.test(type)
      ? flawsOf(Object.fromEntries(new URLSearchParams(bytes.toString())), form)
      : ['the body is no form'];
  if (file) return [file(bytes) ?? []].flat();
  return bytes.length > 0 ? ['there is a body'] : [];
}

async function read(message: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const { pathname, searchParams } = new URL(message.url!, 'http://stand-in');
  const isJson = /^application\/json\b/.test(message.headers['content-type'] ?? '');
  return {
    method: message.method!,
    path: pathname,
    query: Object.fromEntries(searchParams),
    bytes,
    headers: message.headers as Record<string, string>,
    body: isJson ? JSON.parse(bytes.toString()) : undefined,
  };
}

function write(response: ServerResponse, { status, json, text, headers = {} }: Reply): void {
  const body = json === undefined ? (text ?? '') : JSON.stringify(json);
  response
    .writeHead(status, {
      ...(json !== undefined && { 'Content-Type': 'application/json; charset=utf-8' }),
      ...headers,
    })
    .end(body);
}

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"id":', () => response.destroy());
}
