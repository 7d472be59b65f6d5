import { dateOrTime, codePoints, TIME_FORM } from '../domain/input/readers.js';
import type { Problem } from '../domain/errors.js';
import { REQUEST_LIMITS } from '../domain/input/request-limits.js';
import type { JsonSchema } from '../http/json-schema.js';

/**
 * A query as parsed by `node:querystring`: brackets are part of the key; a single value is a
 * string.
 */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/** The value of a parameter, or a description of the expected value. */
export type ReadResult<T> = { readonly value: T } | { readonly expected: string };

/** One query parameter: how it is read, and how the OpenAPI document describes it. */
export interface QueryParam<T> {
  readonly description: string;
  /**
   * Name in the OpenAPI document, if it differs. Lists are accepted as `name`, `name[]` and
   * `name[0]` (D15).
   */
  readonly documentedName?: string;
  readonly isList: boolean;
  readonly isRequired?: true;
  readonly schema: JsonSchema;
  read(values: readonly string[]): ReadResult<T>;
}
/** The query parameters of a route by name. */
export type QueryParams = Readonly<Record<string, QueryParam<unknown>>>;
/** The values that were read; a parameter that was not sent or is invalid is missing. */
export type QueryParamValues<P extends QueryParams> = {
  readonly [K in keyof P]?: P[K] extends QueryParam<infer T> ? T : never;
};

/** Type of a query parameter: a reader of one value, and the equivalent JSON Schema. */
export interface ParamType<T> {
  readonly schema: JsonSchema;
  read(text: string): ReadResult<T>;
}

// Examples belong to the schema: Swagger UI fills in a parameter's own examples, which would filter
// every list.
const withExample = (schema: JsonSchema, example: unknown): JsonSchema => ({
  ...schema,
  examples: [example],
});

/** A parameter with one value. */
export const singleParam = <T>(
  { schema, read }: ParamType<T>,
  description: string,
  example: unknown,
): QueryParam<T> => ({
  schema: withExample(schema, example),
  description,
  isList: false,
  read: (values) => (values.length === 1 ? read(values[0]!) : { expected: 'must be sent once' }),
});

/** A filter with one value. An empty value is no filter, as in a list (D10). */
export const filterParam = <T>(
  { schema, read }: ParamType<T>,
  description: string,
  example: unknown,
): QueryParam<T | undefined> =>
  singleParam<T | undefined>(
    { schema, read: (value) => (value === '' ? { value: undefined } : read(value)) },
    description,
    example,
  );

/** A parameter with several values, all of which must be valid. Empty values are ignored (D10). */
export const listParam = <T>(
  { schema, read }: ParamType<T>,
  description: string,
  { name, example }: { name: string; example: readonly string[] },
): QueryParam<T[]> => ({
  schema: withExample({ type: 'array', items: schema }, example),
  description,
  documentedName: name,
  isList: true,
  read(values) {
    const results = values.filter((value) => value !== '').map(read);
    const invalid = results.find((result) => 'expected' in result);
    return (
      invalid ?? { value: results.flatMap((result) => ('value' in result ? [result.value] : [])) }
    );
  },
});

/** The values of a parameter, and the name under which the first one was sent. */
interface SentParam {
  readonly key: string;
  readonly values: string[];
}

/**
 * Reads a query and collects every problem. Unknown parameters are ignored by GET and rejected by
 * PUT and DELETE (D15); known ones with other brackets are always rejected.
 */
export function readParams<P extends QueryParams>(
  params: P,
  query: RawQuery,
  unknownParams: 'ignore' | 'reject',
) {
  const problems: Problem[] = [];
  const sentParams = new Map<string, SentParam>();
  for (const [key, value] of Object.entries(query)) {
    const [name = ''] = /^[^[]*/.exec(key) ?? [];
    const param = Object.hasOwn(params, name) ? params[name] : undefined;
    if (param && hasAcceptedBrackets(key, name, param)) {
      const sent = sentParams.get(name) ?? { key, values: [] };
      sent.values.push(...[value ?? []].flat());
      sentParams.set(name, sent);
    } else if (param)
      problems.push({ path: [key], message: `must be sent as ${param.documentedName ?? name}` });
    else if (unknownParams === 'reject')
      problems.push({
        path: [key],
        message: `unknown parameter; allowed: ${Object.keys(params).join(', ')}`,
      });
  }
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(params)) {
    const sent = sentParams.get(name);
    if (sent === undefined) {
      if (param.isRequired)
        problems.push({ path: [param.documentedName ?? name], message: 'required' });
      continue;
    }
    const result = param.read(sent.values);
    if ('value' in result) values[name] = result.value;
    else problems.push({ path: [sent.key], message: result.expected });
  }
  return { values: values as QueryParamValues<P>, problems };
}

/** A parameter is sent by its name; a list also as `state[]` and `state[3]`. */
const hasAcceptedBrackets = (key: string, name: string, { isList }: QueryParam<unknown>): boolean =>
  key === name || (isList && /^\[\d*\]$/.test(key.slice(name.length)));

/** The largest 32-bit integer, which is also the limit of GraphQL's Int. */
const MAX_INT = 2_147_483_647;
const { query: MAX_QUERY_LENGTH } = REQUEST_LIMITS;
/** An ID that no record has. Replaces IDs that PostgreSQL cannot store. */
const UNKNOWN_ID = '-';

/** One of these values, which are lower case; the case of the parameter is ignored (D6). */
export const enumType = <K extends string>(values: readonly K[]): ParamType<K> => ({
  schema: { type: 'string', enum: values },
  read(text) {
    const value = values.find((candidate) => candidate === text.toLowerCase());
    return value ? { value } : { expected: `must be one of ${values.join(', ')}` };
  },
});

/** An ID. Accepts any text: a malformed ID is treated like an unknown one (D3). */
export const ID: ParamType<string> = {
  schema: { type: 'string' },
  read: (text) => ({ value: text.includes('\0') ? UNKNOWN_ID : text }),
};

const NO_NUL = { expected: 'must not contain a NUL character' };

/** A post ID. It is not changed, because the response repeats it as sent (D30). */
export const POST_ID: ParamType<string> = {
  schema: { type: 'string' },
  read: (text) => (text.includes('\0') ? NO_NUL : { value: text }),
};

/** A page number, starting at 0. */
export const PAGE: ParamType<number> = {
  schema: { type: 'integer', minimum: 0, maximum: MAX_INT, default: 0 },
  read: (text) =>
    /^\d+$/.test(text) && Number(text) <= MAX_INT
      ? { value: Number(text) }
      : { expected: `must be an integer from 0 to ${MAX_INT}` },
};

/** A whole number of at least 1. */
export const positiveInteger = (
  maximum: number,
  schema: { readonly default?: number } = {},
): ParamType<number> => ({
  schema: { type: 'integer', minimum: 1, maximum, ...schema },
  read: (text) =>
    /^\d+$/.test(text) &&
    text.length <= String(maximum).length &&
    Number(text) >= 1 &&
    Number(text) <= maximum
      ? { value: Number(text) }
      : { expected: `must be an integer from 1 to ${maximum}` },
});

/** A date or a time, as the range that it covers. */
export const TIME_RANGE: ParamType<TimeRange> = {
  schema: {
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ],
  },
  read(text) {
    const value = readTimeRange(text);
    return value
      ? { value }
      : {
          expected: `must be a date that exists, as YYYY-MM-DD, or ${TIME_FORM}`,
        };
  },
};

/** `true` or `false`. */
export const FLAG: ParamType<boolean> = {
  schema: { type: 'boolean', default: false },
  read: (text) =>
    text === 'true' || text === 'false'
      ? { value: text === 'true' }
      : { expected: 'must be true or false' },
};

/** A search query. */
export const SEARCH: ParamType<string> = {
  schema: { type: 'string', maxLength: MAX_QUERY_LENGTH },
  read(text) {
    if (text.includes('\0')) return NO_NUL;
    return codePoints(text) <= MAX_QUERY_LENGTH
      ? { value: text }
      : { expected: `may have at most ${MAX_QUERY_LENGTH} characters` };
  },
};

/** The range that a date or datetime covers, in milliseconds. Both ends are inclusive. */
export interface TimeRange {
  readonly start: Date;
  readonly end: Date;
}

const DAY_MS = 86_400_000;

/**
 * Reads a time from a query (D15): `YYYY-MM-DD`, which is the whole UTC day, or a time with a zone. A
 * space is accepted instead of the plus sign of an offset: an unencoded plus sign is decoded to a
 * space. Null for other
 * texts, and for dates and times that do not exist. A fraction finer than a millisecond lies
 * between two milliseconds, so `start` is later than `end`.
 */
export function readTimeRange(text: string): TimeRange | null {
  const time = dateOrTime(text.replace(/ (?=\d\d(?::?\d\d)?$)/, '+'), [], []);
  if (time === undefined) return null;
  const begin = Date.parse(time);
  if (!time.includes('T')) return { start: new Date(begin), end: new Date(begin + DAY_MS - 1) };
  const isBetweenMilliseconds = /\.\d{3}\d*[1-9]/.test(time);
  return { start: new Date(isBetweenMilliseconds ? begin + 1 : begin), end: new Date(begin) };
}

/** Query parameters of lists with pages. */
export const PAGE_PARAMS = {
  page: filterParam(PAGE, 'Page number, starting at 0.', 0),
} satisfies QueryParams;
