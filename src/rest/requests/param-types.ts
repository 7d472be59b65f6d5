import { codePoints } from '../../domain/input/field-limits.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { readTimeRange, type TimeRange } from './time-range.js';
import type { JsonSchema } from '../bodies/json-schema.js';
import type { ReadResult } from './params.js';

/** The largest 32-bit integer, which is also the limit of GraphQL's Int. */
const MAX_INT = 2_147_483_647;
const { query: MAX_QUERY_LENGTH } = REQUEST_LIMITS;
/** An ID that no record has. Replaces IDs that PostgreSQL cannot store. */
const UNKNOWN_ID = '-';

/** Type of a query parameter: a reader of one value, and the equivalent JSON Schema. */
export interface ParamType<T> {
  readonly schema: JsonSchema;
  read(text: string): ReadResult<T>;
}

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
          expected:
            'must be a date that exists, YYYY-MM-DD or YYYY-MM-DDThh:mm:ss with Z or an offset such as +02:00',
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
