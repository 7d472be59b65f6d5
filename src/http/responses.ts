import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../domain/errors.js';
import { requestContextOf } from './request-context.js';

/**
 * Major version of the public API: the first segment of REST paths, and the `X-API-Version` header
 * of every response (D45).
 */
export const API_VERSION = 'v1';

/**
 * Headers of every response. The content policy is for JSON, which must not be executed or framed.
 * There are no CORS headers: an API key must not be used by a page of another origin.
 */
export const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Strict-Transport-Security': 'max-age=31536000',
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Service-Workspace-Id',
  'X-API-Version': API_VERSION,
} as const;

/**
 * @throws GatewayError METHOD_NOT_ALLOWED, after setting `Allow`, unless the method is GET or HEAD
 */
export function assertReadMethod(
  { method }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
): void {
  if (method === 'GET' || method === 'HEAD') return;
  requestContextOf(response).headers['Allow'] = 'GET, HEAD';
  throw new GatewayError('METHOD_NOT_ALLOWED');
}

/** Responds to one request, or rejects with the error to respond with. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A response as data. The body is empty if `body` is undefined. */
export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response whose body is sent as JSON. */
export interface JsonResponse extends Omit<HttpResponse, 'body'> {
  readonly body?: unknown;
}

const COMMON = Object.entries(COMMON_HEADERS);

/**
 * Writes the head of a response: the common headers, those of its context, and its own ones, which
 * take precedence. All at once as a list, for which Node.js takes a quarter of the time that it
 * takes for `setHeader`. Names are compared as they are written, with their case.
 */
export function writeHead(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | number>> = {},
): void {
  const list: (string | number)[] = [];
  const more = requestContextOf(response).headers;
  for (const [name, value] of COMMON)
    if (!(name in headers || name in more)) list.push(name, value);
  for (const name of Object.keys(more)) if (!(name in headers)) list.push(name, more[name]!);
  for (const name of Object.keys(headers)) list.push(name, headers[name]!);
  response.writeHead(status, list);
}

/** Statuses of responses that never have a body, nor its length. */
const WITHOUT_BODY = [204, 304];

/** Writes a response unless one was sent. If one was started, closes the connection instead. */
export function writeResponse(
  response: ServerResponse,
  { status, headers, body = '' }: HttpResponse,
): void {
  if (response.writableEnded) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const bytes = Buffer.byteLength(body);
  writeHead(response, status, {
    ...headers,
    ...(!WITHOUT_BODY.includes(status) && { 'Content-Length': bytes }),
  });
  if (bytes > SLICE_LENGTH) void writeSlices(response, body);
  else response.end(body); // as text: Node sends it together with the headers, in one write
  requestContextOf(response).answered(bytes);
}

/**
 * Answers are written in pieces of this size, because it is not known how much of a piece the client
 * has read.
 */
const SLICE_LENGTH = 65_536;

/** Whether a character beyond U+FFFF begins here, which is two in a text. */
const isPair = (text: string, at: number): boolean => (text.codePointAt(at) ?? 0) > 0xffff;

/** Writes a body as fast as the client reads. It is encoded in slices: a copy would take memory. */
async function writeSlices(response: ServerResponse, body: string): Promise<void> {
  let end: number;
  for (let start = 0; start < body.length; start = end) {
    end = start + SLICE_LENGTH;
    if (isPair(body, end - 1)) end += 1;
    if (!response.write(body.slice(start, end))) await drained(response);
    if (response.destroyed) return;
  }
  response.end();
}

/** Resolves when the client can take more, or has disconnected. */
export const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed) return resolve();
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });

/** Serializes the body of a JSON response. */
export function toHttpResponse({ status, headers = {}, body }: JsonResponse): HttpResponse {
  if (body === undefined) return { status, headers };
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}

/** Writes a JSON response, see `writeResponse`. */
export const writeJson = (response: ServerResponse, json: JsonResponse): void =>
  writeResponse(response, toHttpResponse(json));
