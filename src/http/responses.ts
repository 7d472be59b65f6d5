import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../domain/errors.js';
import { API_VERSION } from '../rest/http-response.js';

/** An id of the caller's is taken over where it is safe in a log line and a header. */
const SANE_ID = /^[\w.:@+/=-]{1,128}$/;

/** The request's own X-Request-Id, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = String(headers['x-request-id'] ?? '');
  return SANE_ID.test(given) ? given : randomUUID();
}

/**
 * What every answer carries. The content policy is JSON's: nothing of it is to be run or framed. There are no CORS
 * headers: a key has no place in a page of another origin.
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

/** @throws GatewayError METHOD_NOT_ALLOWED, with `Allow`, where a request would do more than read */
export function refuseUnlessRead(
  { method }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
): void {
  if (method === 'GET' || method === 'HEAD') return;
  response.setHeader('Allow', 'GET, HEAD');
  throw new GatewayError('METHOD_NOT_ALLOWED');
}

/** An answer as data. */
export interface TextAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Writes an answer, unless the request has had one; where one is under way, all that is left is to break it off. */
export function writeAnswer(
  response: ServerResponse,
  { status, headers = {}, body = '' }: TextAnswer,
): void {
  if (response.writableEnded) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.statusCode = status;
  for (const [name, value] of Object.entries({
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
  }))
    response.setHeader(name, value);
  response.end(body); // as text: Node sends it together with the head, in one write
}

/** An answer of JSON. */
export function writeJson(
  response: ServerResponse,
  { status, headers, body }: Omit<TextAnswer, 'body'> & { readonly body?: unknown },
): void {
  writeAnswer(response, {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  });
}
