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
  writeHead(response, status, {
    ...headers,
    ...(!WITHOUT_BODY.includes(status) && { 'Content-Length': Buffer.byteLength(body) }),
  });
  response.end(body); // as text: Node sends it together with the headers, in one write
}

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
