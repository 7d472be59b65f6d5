import { ERRORS, type ErrorCode } from '../../domain/errors.js';
import { API_VERSION } from '../../http/responses.js';
import { POSITION_HEADER } from '../../http/authentication/authenticator.js';
import { DRY_RUN, REPLAYED, type ResponseHeader } from '../headers.js';
import {
  arrayOf,
  enumOf,
  INTEGER,
  objectOf,
  ref,
  TEXT,
  withDescription,
  type JsonSchema,
} from '../../http/json-schema.js';
import { isWithheld, type Route } from '../route.js';

const always = (
  name: string,
  description: string,
  example: string | number,
  schema: JsonSchema = TEXT,
): ResponseHeader => ({ name, description, example, schema, isAlwaysSent: true });
const optional = ({ isAlwaysSent: _isAlwaysSent, ...header }: ResponseHeader): ResponseHeader =>
  header;

/** Headers of every response. */
const COMMON_HEADERS: readonly ResponseHeader[] = [
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
const RATE_HEADERS: readonly ResponseHeader[] = [
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
const DATABASE_POSITION: ResponseHeader = {
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
const headersOfStatus = (status: number): readonly ResponseHeader[] =>
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
function rateHeadersOf(status: number): readonly ResponseHeader[] {
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
    ...routes.flatMap((route) => route.responseHeaders ?? []),
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
const headerRefs = (headers: readonly ResponseHeader[]): JsonSchema =>
  Object.fromEntries(
    headers.map((header) => [header.name, { $ref: `#/components/headers/${componentOf(header)}` }]),
  );

/** Errors of every operation that needs a key. */
const AUTHENTICATED_ERRORS: readonly ErrorCode[] = [
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'MISSING_SCOPE',
  'PLAN_REQUIRED',
  'HTTPS_REQUIRED',
  'RATE_LIMITED',
  'INTERNAL_SERVER_ERROR',
  'UNAVAILABLE',
];
const WORKSPACE_ERRORS: readonly ErrorCode[] = ['MISSING_WORKSPACE', 'NOT_A_MEMBER'];

/** Schemas of error bodies by component name. */
export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: objectOf({
    errors: withDescription('Every problem, with the path of its field.', arrayOf(TEXT)),
    code: enumOf(Object.keys(ERRORS)),
    message: TEXT,
  }),
  RateLimitError: objectOf({ error: { ...TEXT, const: ERRORS.RATE_LIMITED.description } }),
};

/**
 * Statuses of errors reported by the domain rules. Like the status 200, they have the headers of
 * dry runs and replayed responses.
 */
const RULE_STATUSES: readonly number[] = [
  ERRORS.FORBIDDEN,
  ERRORS.PUBLISHING,
  ERRORS.CONFLICT,
  ERRORS.RULE_VIOLATION,
].map(({ status }) => status);
const WRITE_HEADERS: readonly string[] = [DRY_RUN.name, REPLAYED.name];

const jsonContent = (schema: JsonSchema, example: unknown): JsonSchema => ({
  'application/json': { schema, example },
});

/**
 * The responses of a route by status: 200, 202 if it starts a job, 204 to keys that may not read the
 * body, 304 if it supports
 * If-None-Match, and its errors.
 */
export function responsesOf(route: Route, examples: Readonly<Record<string, unknown>>): JsonSchema {
  const headers = headerRefs([
    ...COMMON_HEADERS,
    ...RATE_HEADERS,
    ...(route.method === 'GET' ? [] : [DATABASE_POSITION]),
    ...(route.responseHeaders ?? []),
  ]);
  const ok = {
    description: 'OK',
    headers,
    content: jsonContent(ref(route.responseSchema), examples[route.responseSchema]),
  };
  const notModified = {
    description: 'The response that the client has cached is current.',
    headers,
  };
  const accepted = route.acceptedSchema && {
    description: 'The job was queued.',
    headers,
    content: jsonContent(ref(route.acceptedSchema), examples[route.acceptedSchema]),
  };
  const supportsIfNoneMatch = route.requestHeaders?.some(({ name }) => name === 'If-None-Match');
  return {
    200: ok,
    ...(accepted && { 202: accepted }),
    ...(isWithheld(route) && {
      204: {
        description:
          'The response to a key without the scope `posts:read`, which the body requires.',
        headers,
      },
    }),
    ...(supportsIfNoneMatch && { 304: notModified }),
    ...errorResponsesOf(route),
  };
}

function errorResponsesOf(route: Route): JsonSchema {
  const codes = [
    ...AUTHENTICATED_ERRORS,
    ...(route.needsWorkspace ? WORKSPACE_ERRORS : []),
    ...(route.errorCodes ?? []),
  ];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  const { responseHeaders = [] } = route;
  const writeHeaders = responseHeaders.filter(({ name }) => WRITE_HEADERS.includes(name));
  const conflictHeaders = responseHeaders.filter(({ name }) => name === 'ETag');
  return Object.fromEntries(
    statuses.map((status) => {
      const codesOfStatus = codes.filter((code) => ERRORS[code].status === status);
      const headers = [
        ...(RULE_STATUSES.includes(status) ? writeHeaders : []),
        ...(status === ERRORS.CONFLICT.status ? conflictHeaders : []),
      ];
      return [status, errorResponse(status, codesOfStatus, headers)];
    }),
  );
}

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  writeHeaders: readonly ResponseHeader[],
): JsonSchema {
  const [code] = codes as [ErrorCode];
  return {
    description: codes
      .map((errorCode) => `\`${errorCode}\`: ${ERRORS[errorCode].description}`)
      .join('\n\n'),
    headers: headerRefs([
      ...COMMON_HEADERS,
      ...rateHeadersOf(status),
      ...headersOfStatus(status),
      ...writeHeaders,
    ]),
    content: errorContent(code),
  };
}

function errorContent(code: ErrorCode): JsonSchema {
  const { description } = ERRORS[code];
  return code === 'RATE_LIMITED'
    ? jsonContent(ref('RateLimitError'), { error: description })
    : jsonContent(ref('Error'), { errors: [description], code, message: description });
}

/** The responses of the OpenAPI document itself, which needs no key and is not counted. */
export const DOCUMENT_RESPONSES: JsonSchema = {
  200: {
    description: 'OK',
    headers: headerRefs(COMMON_HEADERS),
    content: jsonContent({ type: 'object' }, { openapi: '3.1.0' }),
  },
  ...Object.fromEntries(
    (['BAD_USER_INPUT', 'INTERNAL_SERVER_ERROR', 'UNAVAILABLE'] as const).map((code) => {
      const { status, description } = ERRORS[code];
      return [
        status,
        {
          description,
          headers: headerRefs([...COMMON_HEADERS, ...headersOfStatus(status)]),
          content: errorContent(code),
        },
      ];
    }),
  ),
};
