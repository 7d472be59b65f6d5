import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  isEnumType,
  type GraphQLLeafType,
} from 'graphql';
import { DateTime } from '../scalars.js';
import { NotPlanned } from './not-planned.js';

/** Writes a value that is there as the JSON that graphql-js would answer with. @throws where it would refuse the value */
type LeafWriter = (value: unknown) => string;

const LARGEST_INT = 2 ** 31;

const SHORT = 48;
const [SPACE, QUOTE, BACKSLASH, SURROGATES] = [0x20, 0x22, 0x5c, 0xd800];

/** As JSON.stringify does, which costs more to call than most texts are long. */
function quoted(text: string): string {
  if (text.length > SHORT) return JSON.stringify(text);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < SPACE || code === QUOTE || code === BACKSLASH || code >= SURROGATES)
      return JSON.stringify(text);
  }
  return `"${text}"`;
}

/** What the common scalars come as; a value that came as anything else goes through `serialize`, as in graphql-js. */
const QUICK: ReadonlyMap<GraphQLLeafType, (value: unknown) => string | undefined> = new Map<
  GraphQLLeafType,
  (value: unknown) => string | undefined
>([
  [GraphQLString, (value) => (typeof value === 'string' ? quoted(value) : undefined)],
  [GraphQLID, (value) => (typeof value === 'string' ? quoted(value) : undefined)],
  [GraphQLBoolean, (value) => (typeof value === 'boolean' ? String(value) : undefined)],
  [
    GraphQLInt,
    (value) =>
      Number.isInteger(value) && Math.abs(value as number) < LARGEST_INT
        ? String(value)
        : undefined,
  ],
  [
    DateTime,
    (value) =>
      value instanceof Date && !Number.isNaN(value.getTime())
        ? `"${value.toISOString()}"`
        : undefined,
  ],
]);

const serialized =
  (type: GraphQLLeafType): LeafWriter =>
  (value) => {
    if (value instanceof Promise || value instanceof Error) throw new NotPlanned();
    const text = JSON.stringify(type.serialize(value)) as string | undefined;
    if (text === undefined || text === 'null') throw new NotPlanned();
    return text;
  };

export function leafWriter(type: GraphQLLeafType): LeafWriter {
  if (isEnumType(type)) {
    const names = new Map(
      type.getValues().map(({ value, name }) => [value as unknown, `"${name}"`]),
    );
    return (value) => names.get(value) ?? serialized(type)(value);
  }
  const [quick, slow] = [QUICK.get(type), serialized(type)];
  return quick ? (value) => quick(value) ?? slow(value) : slow;
}
