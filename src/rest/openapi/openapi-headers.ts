import { ERRORS } from '../../domain/errors.js';
import { API_VERSION } from '../../http/api-version.js';
import { POSITION_HEADER } from '../../http/authentication/position-header.js';
import { INTEGER, TEXT, type JsonSchema } from '../bodies/json-schema.js';
import type { ResponseHeader, Route } from '../route.js';

const always = (
  name: string,
  description: string,
  example: string | number,
  schema: JsonSchema = TEXT,
): ResponseHeader => ({ name, description, example, schema, isAlwaysSent: true });
const optional = ({ isAlwaysSent: _isAlwaysSent, ...header }: ResponseHeader): ResponseHeader =>
  header;

/** Headers of every response. */
export const COMMON_HEADERS: readonly ResponseHeader[] = [
  always(
    'X-Request-Id',
    'Identifies the request in the log. Repeats the value that the client sent, if any.',
    '8c9f3b0e-52f7-4c83-9d0e-6a1f2b7c4d5e',
  ),
  always('X-API-Version', 'Version of the API.', API_VERSION, { ...TEXT, const: API_VERSION }),
  always(
    'Cache-Control',
    'Only the client can cache the response, and must revalidate it before each use.',
    'private, no-cache',
  ),
  always(
    'Vary',
    'Request headers that the response depends on.',
    'Authorization, Service-Workspace-Id',
  ),
];

/** Headers of every response to a request that counts toward the rate limit (D37). */
export const RATE_HEADERS: readonly ResponseHeader[] = [
  always('X-RateLimit-Limit', 'Requests allowed per 2-minute window.', 100, {
    ...INTEGER,
    minimum: 1,
  }),
  always('X-RateLimit-Remaining', 'Requests left in the window.', 97, { ...INTEGER, minimum: 0 }),
  always(
    'X-RateLimit-Reset',
    'Unix time, in seconds, at which the window resets.',
    1_795_250_400,
    INTEGER,
  ),
];

/** Of responses to changes, if the database has read replicas. */
export const DATABASE_POSITION: ResponseHeader = {
  name: POSITION_HEADER,
  description:
    'Position of the change in the database. Requests with this header see the change. Requests of the same user see it in any case. Absent if the database has no read replicas.',
  example: '16/B374D848',
};

const RETRY_AFTER = always('Retry-After', 'Number of seconds to wait before retrying.', 42, {
  ...INTEGER,
  minimum: 1,
});
const HEADERS_BY_STATUS: Readonly<Record<number, readonly ResponseHeader[]>> = {
  // Not sent if another request with the same idempotency key is still running.
  409: [optional(RETRY_AFTER)],
  401: [always('WWW-Authenticate', 'The authentication scheme.', 'Bearer-API')],
  429: [RETRY_AFTER],
  503: [RETRY_AFTER],
};
/** Headers that depend on the status alone. */
export const headersOfStatus = (status: number): readonly ResponseHeader[] =>
  HEADERS_BY_STATUS[status] ?? [];

/** Statuses of requests that are never counted. */
const UNCOUNTED: readonly number[] = [ERRORS.UNAUTHENTICATED.status];
/** Statuses of requests that can fail before they are counted. */
const SOMETIMES_UNCOUNTED: readonly number[] = [
  ERRORS.BAD_USER_INPUT,
  ERRORS.HTTPS_REQUIRED,
  ERRORS.INTERNAL_SERVER_ERROR,
  ERRORS.UNAVAILABLE,
].map(({ status }) => status);

/** Rate limit headers of a response with this status. */
export function rateHeadersOf(status: number): readonly ResponseHeader[] {
  if (UNCOUNTED.includes(status)) return [];
  return SOMETIMES_UNCOUNTED.includes(status) ? RATE_HEADERS.map(optional) : RATE_HEADERS;
}

/** A header has one component for responses that always send it, and one for the others. */
const componentOf = ({ name, isAlwaysSent }: ResponseHeader): string =>
  isAlwaysSent ? `${name}-always` : name;

/** The header components of the document. */
export function headerComponents(routes: readonly Route[]): JsonSchema {
  const headers = [
    ...COMMON_HEADERS,
    ...RATE_HEADERS,
    ...RATE_HEADERS.map(optional),
    ...Object.values(HEADERS_BY_STATUS).flat(),
    DATABASE_POSITION,
    ...routes.flatMap((route) => route.responseHeaders),
  ];
  return Object.fromEntries(
    headers.map((header) => [
      componentOf(header),
      {
        description: header.description,
        required: header.isAlwaysSent ?? false,
        schema: header.schema ?? TEXT,
        example: header.example,
      },
    ]),
  );
}

/** References to the components of these headers. */
export const headerRefs = (headers: readonly ResponseHeader[]): JsonSchema =>
  Object.fromEntries(
    headers.map((header) => [header.name, { $ref: `#/components/headers/${componentOf(header)}` }]),
  );
