import type { Problem } from '../domain/errors.js';
import {
  flag,
  instant,
  integer,
  isJsonObject,
  line,
  list,
  oneOf,
  shape,
  text,
  time,
  type Reader,
} from '../domain/input/readers.js';
import {
  arrayOf,
  BOOLEAN,
  enumOf,
  INTEGER,
  nullable,
  objectOf,
  TEXT,
  withDescription,
  type JsonSchema,
} from './json-schema.js';

/** Reads a value of a request body, and describes it as a JSON Schema. */
export interface BodyReader<T> {
  readonly schema: JsonSchema;
  readonly read: Reader<T>;
}
type BodyReaders<T> = { readonly [K in keyof T]-?: BodyReader<Exclude<T[K], null | undefined>> };

/**
 * The same reader, described as nullable. An object reader accepts null of optional keys itself.
 */
export const nullableReader = <T>({ schema, read }: BodyReader<T>): BodyReader<T> => ({
  schema: nullable(schema),
  read,
});

/** Reads a list. */
export const listReader = <T>(
  item: BodyReader<T>,
  { minItems = 0, maxItems }: { minItems?: number; maxItems: number },
): BodyReader<T[]> => ({
  schema: { ...arrayOf(item.schema), minItems, maxItems },
  read(value, path, problems) {
    if (Array.isArray(value) && value.length < minItems) {
      problems.push({ path, message: `must have at least ${minItems} items` });
      return undefined;
    }
    return list(item.read, { maxItems })(value, path, problems);
  },
});

/**
 * Keys that an object does not have, but that clients may send: the reason why they are refused, or
 * null if they are ignored.
 */
export type ReservedKeys = Readonly<Record<string, string | null>>;

/** Reads an object with these keys. All are optional and nullable except those in `required`. */
export function objectReader<T extends object>(
  keys: BodyReaders<T>,
  required: readonly (keyof T & string)[] = [],
  reserved: ReservedKeys = {},
): BodyReader<T> {
  const entries = Object.entries(keys) as [keyof T & string, BodyReader<unknown>][];
  const names: string[] = entries.map(([name]) => name);
  const ignored = Object.keys(reserved).filter((name) => reserved[name] === null);
  const read = shape<T>(
    Object.fromEntries(entries.map(([name, reader]) => [name, reader.read])) as never,
    { required },
  );
  return {
    schema: objectOf(
      {
        ...Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
        ...Object.fromEntries(ignored.map((name) => [name, withDescription('Ignored.', {})])),
      },
      [...names.filter((name) => !(required as readonly string[]).includes(name)), ...ignored],
    ),
    read(value, path, problems) {
      const unknownKeys = isJsonObject(value)
        ? Object.keys(value).filter((key) => !Object.hasOwn(keys, key) && !ignored.includes(key))
        : [];
      problems.push(
        ...unknownKeys.map((key) => ({
          path: [...path, key],
          message:
            (Object.hasOwn(reserved, key) && reserved[key]) ||
            `unknown key; allowed: ${names.join(', ')}`,
        })),
      );
      return read(value, path, problems);
    },
  };
}

/** Reads true or false. */
export const TRUE_OR_FALSE: BodyReader<boolean> = { schema: BOOLEAN, read: flag };
/** Reads the ID of a record: a line of at most 100 characters. */
export const RECORD_ID: BodyReader<string> = { schema: TEXT, read: line({ maxLength: 100 }) };

/** The same reader, with a description in its schema. */
export const described = <T>(
  description: string,
  { schema, read }: BodyReader<T>,
): BodyReader<T> => ({ schema: withDescription(description, schema), read });

/** Reads one of these values, in any case. */
export const choice = <V extends string>(values: readonly V[]): BodyReader<V> => ({
  schema: enumOf(values),
  read: oneOf(values),
});

/** Reads a text of at most `maxLength` code points. */
export const textReader = (maxLength: number): BodyReader<string> => ({
  schema: { ...TEXT, maxLength },
  read: text({ maxLength }),
});

/** Reads a whole number within bounds. */
export const integerReader = (minimum: number, maximum: number): BodyReader<number> => ({
  schema: { ...INTEGER, minimum, maximum },
  read: integer({ minimum, maximum }),
});

/** Reads the version of a post. */
export const POST_VERSION: BodyReader<number> = {
  schema: { ...INTEGER, minimum: 1 },
  read: integer({ minimum: 1, maximum: 2_147_483_647 }),
};

/** Reads a time, truncated to whole seconds. */
export const TIME: BodyReader<Date> = {
  schema: { ...TEXT, format: 'date-time', examples: ['2026-12-01T09:30:00+00:00'] },
  read(value, path, problems) {
    const text = time(value, path, problems);
    return text === undefined ? undefined : instant(new Date(text), path, problems);
  },
};

/** Reads a whole body. `value` is missing if there are problems. */
export function readBody<T>(
  { read }: BodyReader<T>,
  body: unknown,
): { value?: T; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const value = read(body, [], problems);
  return value === undefined || problems.length > 0 ? { problems } : { value, problems };
}
