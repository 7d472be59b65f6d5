import { ERRORS, type ErrorCode } from '../../domain/errors.js';
import { described, listOf, objectOf, oneOf, ref, TEXT, type JsonSchema } from '../bodies/json-schema.js';
import type { HeaderNote, Route } from '../v1-route.js';

/** What every route behind the gate can refuse. */
const GATE_REFUSALS: readonly ErrorCode[] = [
  'BAD_USER_INPUT', 'UNAUTHENTICATED', 'MISSING_SCOPE', 'PLAN_REQUIRED', 'HTTPS_REQUIRED', 'RATE_LIMITED', 'INTERNAL_SERVER_ERROR', 'UNAVAILABLE',
];
const WORKSPACE_REFUSALS: readonly ErrorCode[] = ['MISSING_WORKSPACE', 'NOT_A_MEMBER'];

export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: objectOf({
    errors: described('Every problem, each with its path.', listOf(TEXT)),
    code: oneOf(Object.keys(ERRORS)),
    message: TEXT,
  }),
  RateLimitError: objectOf({ error: { ...TEXT, const: ERRORS.RATE_LIMITED.meaning } }),
};

/** Every answer has these. */
const ALWAYS: readonly HeaderNote[] = [
  { name: 'X-Request-Id', meaning: 'Names the request in the log.' },
  { name: 'X-API-Version', meaning: 'The version of the interface.' },
];
/** Every counted answer has these (D37). */
const RATE: readonly HeaderNote[] = [
  { name: 'X-RateLimit-Limit', meaning: 'Requests allowed in the window of 2 minutes.' },
  { name: 'X-RateLimit-Remaining', meaning: 'Requests left in the window.' },
  { name: 'X-RateLimit-Reset', meaning: 'UNIX time in seconds at which the window resets.' },
];
const RETRY_AFTER: HeaderNote = { name: 'Retry-After', meaning: 'Seconds to wait.' };
const UNCOUNTED = [ERRORS.UNAUTHENTICATED.status];
const BY_STATUS: Readonly<Record<number, readonly HeaderNote[]>> = {
  401: [{ name: 'WWW-Authenticate', meaning: 'The scheme, `Bearer-API`.' }],
  429: [RETRY_AFTER],
  503: [RETRY_AFTER],
};

/** Every header that an answer may have, said once. */
export const headersIn = (routes: readonly Route[]): JsonSchema => {
  const notes = [...ALWAYS, ...RATE, ...Object.values(BY_STATUS).flat(), ...routes.flatMap((route) => route.answerHeaders)];
  return Object.fromEntries(notes.map(({ name, meaning }) => [name, { description: meaning, schema: TEXT }]));
};

const headersOf = (notes: readonly HeaderNote[]): JsonSchema =>
  Object.fromEntries(notes.map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]));

const json = (schema: JsonSchema, example: unknown): JsonSchema => ({ 'application/json': { schema, example } });

/** The answers of a route by status: its 200, 304 where it has a tag to compare, and each refusal it can give. */
export function answersOf(route: Route, examples: Readonly<Record<string, unknown>>): JsonSchema {
  const ok = { description: 'OK', headers: headersOf([...ALWAYS, ...RATE, ...route.answerHeaders]), content: json(ref(route.gives), examples[route.gives]) };
  const hasTag = route.requestHeaders.some(({ name }) => name === 'If-None-Match');
  const same = { description: 'The client has the current body.', headers: headersOf([...ALWAYS, ...RATE, ...route.answerHeaders]) };
  return { 200: ok, ...(hasTag && { 304: same }), ...refusalsOf(route) };
}

function refusalsOf(route: Route): JsonSchema {
  const codes = [...GATE_REFUSALS, ...(route.needsWorkspace ? WORKSPACE_REFUSALS : []), ...route.refusals];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [status, refusalOf(status, codes.filter((code) => ERRORS[code].status === status))]));
}

function refusalOf(status: number, codes: readonly ErrorCode[]): JsonSchema {
  const [code] = codes as [ErrorCode];
  const { meaning } = ERRORS[code];
  const headers = [...ALWAYS, ...(UNCOUNTED.includes(status as never) ? [] : RATE), ...(BY_STATUS[status] ?? [])];
  return {
    description: codes.map((one) => `\`${one}\`: ${ERRORS[one].meaning}`).join('\n\n'),
    headers: headersOf(headers),
    content: code === 'RATE_LIMITED' ? json(ref('RateLimitError'), { error: meaning }) : json(ref('Error'), { errors: [meaning], code, message: meaning }),
  };
}
