import type { Problem } from '../../domain/errors.js';
import { isJsonObject, shape, type Reader } from '../../domain/input/readers.js';
import { objectOf, type JsonSchema } from '../bodies/json-schema.js';

/** Reads a value of a request body, and describes it as a JSON Schema. */
export interface BodyReader<T> {
  readonly schema: JsonSchema;
  readonly read: Reader<T>;
}
type BodyReaders<T> = { readonly [K in keyof T]-?: BodyReader<Exclude<T[K], null | undefined>> };

/** Reads an object with these keys. All are optional and nullable except those in `required`. */
export function objectReader<T extends object>(
  keys: BodyReaders<T>,
  required: readonly (keyof T & string)[] = [],
): BodyReader<T> {
  const entries = Object.entries(keys) as [keyof T & string, BodyReader<unknown>][];
  const names = entries.map(([name]) => name);
  const read = shape<T>(
    Object.fromEntries(entries.map(([name, reader]) => [name, reader.read])) as never,
    { required },
  );
  return {
    schema: objectOf(
      Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      names.filter((name) => !required.includes(name)),
    ),
    read(value, path, problems) {
      const unknownKeys = isJsonObject(value)
        ? Object.keys(value).filter((key) => !Object.hasOwn(keys, key))
        : [];
      problems.push(
        ...unknownKeys.map((key) => ({
          path: [...path, key],
          message: `unknown key; allowed: ${names.join(', ')}`,
        })),
      );
      return read(value, path, problems);
    },
  };
}

/** Reads a whole body. `value` is missing if there are problems. */
export function readBody<T>(
  { read }: BodyReader<T>,
  body: unknown,
): { value?: T; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const value = read(body, [], problems);
  return value === undefined || problems.length > 0 ? { problems } : { value, problems };
}
