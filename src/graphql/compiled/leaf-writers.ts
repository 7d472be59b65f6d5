import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  isEnumType,
  type GraphQLLeafType,
} from 'graphql';
import { DateTime } from '../scalars.js';

/**
 * Thrown where compiled execution cannot write a value; graphql-js then executes the operation.
 * Never reaches a client.
 */
export class NotCompilableError extends Error {}

/**
 * Writes a non-null value as the JSON that graphql-js would produce.
 * @throws if graphql-js would reject the value
 */
type LeafWriter = (value: unknown) => string;

const INT_LIMIT = 2 ** 31;

const MAX_SCANNED_LENGTH = 48;
const [SPACE, QUOTE, BACKSLASH, SURROGATES] = [0x20, 0x22, 0x5c, 0xd800];

/** Same result as JSON.stringify, but faster for short strings without special characters. */
function quote(text: string): string {
  if (text.length > MAX_SCANNED_LENGTH) return JSON.stringify(text);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < SPACE || code === QUOTE || code === BACKSLASH || code >= SURROGATES)
      return JSON.stringify(text);
  }
  return `"${text}"`;
}

/**
 * Writers for the usual JavaScript type of each scalar; undefined for other values, which
 * `serialize` converts as in graphql-js.
 */
const FAST_WRITERS: ReadonlyMap<GraphQLLeafType, (value: unknown) => string | undefined> = new Map<
  GraphQLLeafType,
  (value: unknown) => string | undefined
>([
  [GraphQLString, (value) => (typeof value === 'string' ? quote(value) : undefined)],
  [GraphQLID, (value) => (typeof value === 'string' ? quote(value) : undefined)],
  [GraphQLBoolean, (value) => (typeof value === 'boolean' ? String(value) : undefined)],
  [
    GraphQLInt,
    (value) =>
      Number.isInteger(value) && Math.abs(value as number) < INT_LIMIT ? String(value) : undefined,
  ],
  [
    DateTime,
    (value) =>
      value instanceof Date && !Number.isNaN(value.getTime())
        ? `"${value.toISOString()}"`
        : undefined,
  ],
]);

const serializingWriter =
  (type: GraphQLLeafType): LeafWriter =>
  (value) => {
    if (value instanceof Promise || value instanceof Error) throw new NotCompilableError();
    const text = JSON.stringify(type.serialize(value)) as string | undefined;
    if (text === undefined || text === 'null') throw new NotCompilableError();
    return text;
  };

/** Creates the writer of a scalar or enum type. */
export function createLeafWriter(type: GraphQLLeafType): LeafWriter {
  if (isEnumType(type)) {
    const names = new Map(
      type.getValues().map(({ value, name }) => [value as unknown, `"${name}"`]),
    );
    return (value) => names.get(value) ?? serializingWriter(type)(value);
  }
  const [writeFast, writeSerialized] = [FAST_WRITERS.get(type), serializingWriter(type)];
  return writeFast ? (value) => writeFast(value) ?? writeSerialized(value) : writeSerialized;
}
