import type { Problem } from '../../domain/errors.js';
import { isJsonObject, shape, type Reader } from '../../domain/input/readers.js';
import { objectOf, type JsonSchema } from '../bodies/json-schema.js';

/** One key of a small body: how it is read, and what the reference says of it. */
export interface InputKey<T> {
  readonly schema: JsonSchema;
  readonly read: Reader<T>;
}
type InputKeys<T> = { readonly [K in keyof T]-?: InputKey<Exclude<T[K], null | undefined>> };

/** A body, or a part of one, of known keys; each may be absent or null but those that it needs. */
export function objectInput<T extends object>(
  keys: InputKeys<T>,
  needs: readonly (keyof T & string)[] = [],
): InputKey<T> {
  const table = Object.entries(keys) as [keyof T & string, InputKey<unknown>][];
  const names = table.map(([name]) => name);
  const read = shape<T>(Object.fromEntries(table.map(([name, one]) => [name, one.read])) as never, {
    needs,
  });
  return {
    schema: objectOf(
      Object.fromEntries(table.map(([name, { schema }]) => [name, schema])),
      names.filter((name) => !needs.includes(name)),
    ),
    read(value, path, problems) {
      const strangers = isJsonObject(value)
        ? Object.keys(value).filter((key) => !Object.hasOwn(keys, key))
        : [];
      problems.push(
        ...strangers.map((key) => ({
          path: [...path, key],
          message: `unknown key; allowed: ${names.join(', ')}`,
        })),
      );
      return read(value, path, problems);
    },
  };
}

/** Reads a whole body; where it has problems there is no value. */
export function readBody<T>(
  { read }: InputKey<T>,
  body: unknown,
): { value?: T; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const value = read(body, [], problems);
  return value === undefined || problems.length > 0 ? { problems } : { value, problems };
}
