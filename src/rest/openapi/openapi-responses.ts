import { ERRORS, type ErrorCode } from '../../domain/errors.js';
import {
  arrayOf,
  enumOf,
  objectOf,
  ref,
  TEXT,
  withDescription,
  type JsonSchema,
} from '../bodies/json-schema.js';
import { DRY_RUN, REPLAYED } from '../requests/change-headers.js';
import type { ResponseHeader, Route } from '../route.js';
import {
  COMMON_HEADERS,
  headerRefs,
  headersOfStatus,
  RATE_HEADERS,
  DATABASE_POSITION,
  rateHeadersOf,
} from './openapi-headers.js';

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
 * The responses of a route by status: 200, 202 if it starts a job, 304 if it supports
 * If-None-Match, and its errors.
 */
export function responsesOf(route: Route, examples: Readonly<Record<string, unknown>>): JsonSchema {
  const headers = headerRefs([
    ...COMMON_HEADERS,
    ...RATE_HEADERS,
    ...(route.method === 'GET' ? [] : [DATABASE_POSITION]),
    ...route.responseHeaders,
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
  const supportsIfNoneMatch = route.requestHeaders.some(({ name }) => name === 'If-None-Match');
  return {
    200: ok,
    ...(accepted && { 202: accepted }),
    ...(supportsIfNoneMatch && { 304: notModified }),
    ...errorResponsesOf(route),
  };
}

function errorResponsesOf(route: Route): JsonSchema {
  const codes = [
    ...AUTHENTICATED_ERRORS,
    ...(route.needsWorkspace ? WORKSPACE_ERRORS : []),
    ...route.errorCodes,
  ];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  const writeHeaders = route.responseHeaders.filter(({ name }) => WRITE_HEADERS.includes(name));
  const conflictHeaders = route.responseHeaders.filter(({ name }) => name === 'ETag');
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
