import { codePoints } from '../../domain/input/field-limits.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { readSpan, type Span } from './moment.js';
import type { JsonSchema } from '../bodies/json-schema.js';
import type { Reading } from './params.js';

/** The largest 32-bit integer: what a page may be, and GraphQL's Int too. */
const MAX_INT = 2_147_483_647;
const { query: MAX_QUERY_LENGTH } = REQUEST_LIMITS;
/** No record has this id: what an id that the database cannot even hold is looked up as. */
const NO_RECORD = '-';

/** A way to read one value, with the schema that says the same. */
export interface Kind<T> {
  readonly schema: JsonSchema;
  read(value: string): Reading<T>;
}

export const wordOf = <K extends string>(words: readonly K[]): Kind<K> => ({
  schema: { type: 'string', enum: words },
  read: (text) =>
    words.includes(text as K)
      ? { value: text as K }
      : { expected: `must be one of ${words.join(', ')}` },
});

/** Never refused: an id that names nothing is answered like any unknown one (D3). */
export const ID: Kind<string> = {
  schema: { type: 'string' },
  read: (text) => ({ value: text === '' || text.includes('\0') ? NO_RECORD : text }),
};

const NO_NUL = { expected: 'must not contain a NUL character' };

/** As sent: the answer echoes it (D30), and what it names is found by the workshop. */
export const POST_ID: Kind<string> = {
  schema: { type: 'string' },
  read: (text) => (text.includes('\0') ? NO_NUL : { value: text }),
};

export const PAGE: Kind<number> = {
  schema: { type: 'integer', minimum: 0, maximum: MAX_INT, default: 0 },
  read: (text) =>
    /^\d+$/.test(text) && Number(text) <= MAX_INT
      ? { value: Number(text) }
      : { expected: `must be an integer from 0 to ${MAX_INT}` },
};

export const TIME: Kind<Span> = {
  schema: {
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ],
  },
  read(text) {
    const value = readSpan(text);
    return value
      ? { value }
      : {
          expected:
            'must be a date that exists, YYYY-MM-DD or YYYY-MM-DDThh:mm:ss with Z or an offset such as +02:00',
        };
  },
};

export const FLAG: Kind<boolean> = {
  schema: { type: 'boolean', default: false },
  read: (text) =>
    text === 'true' || text === 'false'
      ? { value: text === 'true' }
      : { expected: 'must be true or false' },
};

export const SEARCH: Kind<string> = {
  schema: { type: 'string', maxLength: MAX_QUERY_LENGTH },
  read(text) {
    if (text.includes('\0')) return NO_NUL;
    return codePoints(text) <= MAX_QUERY_LENGTH
      ? { value: text }
      : { expected: `may have at most ${MAX_QUERY_LENGTH} characters` };
  },
};
