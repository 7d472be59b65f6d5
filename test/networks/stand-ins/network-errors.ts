import type { NetworkFailureCode } from '../../../src/domain/networks/network-failures.js';
import type { Fault } from './stand-in.js';

/** A fault of a network, and the failure that the adapter must return. */
export interface NetworkError {
  readonly name: string;
  readonly fault: Fault;
  readonly code:
    | NetworkFailureCode
    | ((containsPost: boolean, unknownPathCode?: NetworkFailureCode) => NetworkFailureCode);
  readonly retryAfterMs?: number;
  /** Whether the response contains a message of the network. */
  readonly hasMessage?: boolean;
}

/**
 * All faults that every adapter must handle. `errorBody` is the network's documented error body.
 */
export function networkErrors(errorBody: (status: number) => unknown): readonly NetworkError[] {
  const error = (
    status: number,
    code: NetworkError['code'],
    more: Partial<NetworkError> & { headers?: Record<string, string> } = {},
  ): NetworkError => ({
    name: String(status),
    code,
    hasMessage: true,
    fault: { status, json: errorBody(status), ...(more.headers && { headers: more.headers }) },
    ...more,
  });
  const htmlPage = (status: number): NetworkError => ({
    name: `an HTML page (${status})`,
    fault: {
      status,
      text: '<!doctype html><title>Oops</title>',
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    },
    code: 'NETWORK_UNAVAILABLE',
  });
  return [
    error(400, 'NETWORK_REFUSED'),
    error(401, 'NETWORK_REAUTHORIZATION_NEEDED'),
    error(403, 'NETWORK_FORBIDDEN'),
    error(404, (containsPost, unknownPathCode = 'NETWORK_UNAVAILABLE') =>
      containsPost ? 'NETWORK_POST_DELETED' : unknownPathCode,
    ),
    error(410, (containsPost) => (containsPost ? 'NETWORK_POST_DELETED' : 'NETWORK_UNAVAILABLE')),
    error(409, 'NETWORK_CONFLICT'),
    error(422, 'NETWORK_REFUSED'),
    error(429, 'NETWORK_RATE_LIMITED'),
    error(429, 'NETWORK_RATE_LIMITED', {
      name: '429 with seconds',
      headers: { 'Retry-After': '7' },
      retryAfterMs: 7_000,
    }),
    error(429, 'NETWORK_RATE_LIMITED', {
      name: '429 with a date',
      headers: { 'Retry-After': 'Sat, 21 Nov 2026 08:01:30 GMT' },
      retryAfterMs: 90_000,
    }),
    error(429, 'NETWORK_RATE_LIMITED', {
      name: '429 with the end of the rate window',
      headers: { 'X-RateLimit-Reset': '2026-11-21T08:00:45.000Z' },
      retryAfterMs: 45_000,
    }),
    error(500, 'NETWORK_UNAVAILABLE'),
    error(503, 'NETWORK_UNAVAILABLE', {
      name: '503 with Retry-After',
      headers: { 'Retry-After': '120' },
      retryAfterMs: 120_000,
    }),
    {
      name: 'a redirect',
      fault: { status: 302, headers: { Location: 'http://127.0.0.1:9/' } },
      code: 'NETWORK_UNAVAILABLE',
    },
    ...[200, 401, 403, 404, 502].map(htmlPage),
    {
      name: 'a response that is not JSON',
      fault: { status: 200, text: 'Bye.', headers: { 'Content-Type': 'application/json' } },
      code: 'NETWORK_UNAVAILABLE',
    },
    { name: 'an interrupted connection', fault: 'disconnect', code: 'NETWORK_UNAVAILABLE' },
  ];
}

/** Successful responses that no network documents. */
export const UNDOCUMENTED_RESPONSES = {
  null: 'null',
  'a list': '[null]',
  'an empty object': '{}',
  'a number': '0',
  'an empty body': '',
  'deeply nested lists': `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
};
