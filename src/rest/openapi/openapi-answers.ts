import { ERRORS, type ErrorCode } from '../../domain/errors.js';
import { API_VERSION } from '../http-response.js';
import {
  described,
  INTEGER,
  listOf,
  objectOf,
  oneOf,
  ref,
  TEXT,
  type JsonSchema,
} from '../bodies/json-schema.js';
import { DRY_RUN, REPLAYED } from '../requests/write-headers.js';
import type { AnswerHeader, Route } from '../v1-route.js';

/** What every route behind the gate can refuse. */
const GATE_REFUSALS: readonly ErrorCode[] = [
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'MISSING_SCOPE',
  'PLAN_REQUIRED',
  'HTTPS_REQUIRED',
  'RATE_LIMITED',
  'INTERNAL_SERVER_ERROR',
  'UNAVAILABLE',
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

const always = (
  name: string,
  meaning: string,
  example: string | number,
  schema: JsonSchema = TEXT,
): AnswerHeader => ({ name, meaning, example, schema, isAlways: true });
const sometimes = ({ isAlways: _isAlways, ...header }: AnswerHeader): AnswerHeader => header;

/** Every answer has these. */
const ALWAYS: readonly AnswerHeader[] = [
  always(
    'X-Request-Id',
    'Names the request in the log; the caller’s own where it sent one.',
    '8c9f3b0e-52f7-4c83-9d0e-6a1f2b7c4d5e',
  ),
  always('X-API-Version', 'The version of the interface.', API_VERSION, {
    ...TEXT,
    const: API_VERSION,
  }),
  always(
    'Cache-Control',
    'Who may keep the answer, and that it has to ask again.',
    'private, no-cache',
  ),
  always(
    'Vary',
    'What the answer depends on beside its address.',
    'Authorization, Service-Workspace-Id',
  ),
];
/** Every counted answer has these (D37). */
const RATE: readonly AnswerHeader[] = [
  always('X-RateLimit-Limit', 'Requests allowed in the window of 2 minutes.', 100, {
    ...INTEGER,
    minimum: 1,
  }),
  always('X-RateLimit-Remaining', 'Requests left in the window.', 97, { ...INTEGER, minimum: 0 }),
  always(
    'X-RateLimit-Reset',
    'UNIX time in seconds at which the window resets.',
    1_795_250_400,
    INTEGER,
  ),
];
const RETRY_AFTER = always('Retry-After', 'Seconds to wait.', 42, { ...INTEGER, minimum: 1 });
const UNCOUNTED: readonly number[] = [ERRORS.UNAUTHENTICATED.status];
/** What is refused with these may never have come to the count. */
const SELDOM_UNCOUNTED: readonly number[] = [
  ERRORS.BAD_USER_INPUT,
  ERRORS.HTTPS_REQUIRED,
  ERRORS.INTERNAL_SERVER_ERROR,
  ERRORS.UNAVAILABLE,
].map(({ status }) => status);
const BY_STATUS: Readonly<Record<number, readonly AnswerHeader[]>> = {
  401: [always('WWW-Authenticate', 'The scheme.', 'Bearer-API')],
  429: [RETRY_AFTER],
  503: [RETRY_AFTER],
};

/** What the rules refuse says, like a 200, how it came about. */
const BY_RULES: readonly number[] = [ERRORS.FORBIDDEN, ERRORS.CONFLICT, ERRORS.RULE_VIOLATION].map(
  ({ status }) => status,
);
const PROVENANCE: readonly string[] = [DRY_RUN.name, REPLAYED.name];

/** One header is described once if it is always there, and once if it is not. */
const componentOf = ({ name, isAlways }: AnswerHeader): string =>
  isAlways ? `${name}-always` : name;

/** Every header that an answer may have, said once. */
export const headersIn = (routes: readonly Route[]): JsonSchema => {
  const notes = [
    ...ALWAYS,
    ...RATE,
    ...RATE.map(sometimes),
    ...Object.values(BY_STATUS).flat(),
    ...routes.flatMap((route) => route.answerHeaders),
  ];
  return Object.fromEntries(
    notes.map((note) => [
      componentOf(note),
      {
        description: note.meaning,
        required: note.isAlways ?? false,
        schema: note.schema ?? TEXT,
        example: note.example,
      },
    ]),
  );
};

const headersOf = (notes: readonly AnswerHeader[]): JsonSchema =>
  Object.fromEntries(
    notes.map((note) => [note.name, { $ref: `#/components/headers/${componentOf(note)}` }]),
  );

const json = (schema: JsonSchema, example: unknown): JsonSchema => ({
  'application/json': { schema, example },
});

/** The answers of a route by status: its 200, 304 where it has a tag to compare, and each refusal it can give. */
export function answersOf(route: Route, examples: Readonly<Record<string, unknown>>): JsonSchema {
  const ok = {
    description: 'OK',
    headers: headersOf([...ALWAYS, ...RATE, ...route.answerHeaders]),
    content: json(ref(route.gives), examples[route.gives]),
  };
  const hasTag = route.requestHeaders.some(({ name }) => name === 'If-None-Match');
  const same = {
    description: 'The client has the current body.',
    headers: headersOf([...ALWAYS, ...RATE, ...route.answerHeaders]),
  };
  return { 200: ok, ...(hasTag && { 304: same }), ...refusalsOf(route) };
}

function refusalsOf(route: Route): JsonSchema {
  const codes = [
    ...GATE_REFUSALS,
    ...(route.needsWorkspace ? WORKSPACE_REFUSALS : []),
    ...route.refusals,
  ];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  const provenance = route.answerHeaders.filter(({ name }) => PROVENANCE.includes(name));
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => ERRORS[code].status === status);
      return [status, refusalOf(status, here, BY_RULES.includes(status) ? provenance : [])];
    }),
  );
}

function refusalOf(
  status: number,
  codes: readonly ErrorCode[],
  provenance: readonly AnswerHeader[],
): JsonSchema {
  const [code] = codes as [ErrorCode];
  const headers = [...ALWAYS, ...rateOf(status), ...(BY_STATUS[status] ?? []), ...provenance];
  return {
    description: codes.map((one) => `\`${one}\`: ${ERRORS[one].meaning}`).join('\n\n'),
    headers: headersOf(headers),
    content: errorOf(code),
  };
}

function errorOf(code: ErrorCode): JsonSchema {
  const { meaning } = ERRORS[code];
  return code === 'RATE_LIMITED'
    ? json(ref('RateLimitError'), { error: meaning })
    : json(ref('Error'), { errors: [meaning], code, message: meaning });
}

function rateOf(status: number): readonly AnswerHeader[] {
  if (UNCOUNTED.includes(status)) return [];
  return SELDOM_UNCOUNTED.includes(status) ? RATE.map(sometimes) : RATE;
}

/** The answers of the reference itself, which needs no key and is not counted. */
export const REFERENCE_ANSWERS: JsonSchema = {
  200: {
    description: 'OK',
    headers: headersOf(ALWAYS),
    content: json({ type: 'object' }, { openapi: '3.1.0' }),
  },
  ...Object.fromEntries(
    (['BAD_USER_INPUT', 'INTERNAL_SERVER_ERROR', 'UNAVAILABLE'] as const).map((code) => {
      const { status, meaning } = ERRORS[code];
      return [
        status,
        {
          description: meaning,
          headers: headersOf([...ALWAYS, ...(BY_STATUS[status] ?? [])]),
          content: errorOf(code),
        },
      ];
    }),
  ),
};
