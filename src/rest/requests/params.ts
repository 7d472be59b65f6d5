import type { Problem } from '../../domain/errors.js';
import type { JsonSchema } from '../bodies/json-schema.js';

/** A query as Express's `simple` parser leaves it: brackets are part of the key, one value is a string. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/** The value of a parameter, or what was expected instead. */
export type Reading<T> = { readonly value: T } | { readonly expected: string };

/** One query parameter: how it is read, and what the reference says of it. */
export interface Param<T> {
  readonly meaning: string;
  /** The form the reference shows; every list is read as `name`, `name[]` and `name[0]` alike (D15). */
  readonly shownAs?: string;
  readonly isList: boolean;
  readonly isRequired?: true;
  readonly schema: JsonSchema;
  read(values: readonly string[]): Reading<T>;
}
export type ParamTable = Readonly<Record<string, Param<unknown>>>;
export type ParamValues<P extends ParamTable> = {
  readonly [K in keyof P]?: P[K] extends Param<infer T> ? T : never;
};

type About = Pick<Param<unknown>, 'meaning' | 'schema'> &
  Partial<Pick<Param<unknown>, 'shownAs' | 'isRequired'>>;

/** A parameter with one value. */
export const single = <T>(about: About, read: (value: string) => Reading<T>): Param<T> => ({
  ...about,
  isList: false,
  read: (values) => (values.length === 1 ? read(values[0]!) : { expected: 'must be given once' }),
});

/** A parameter with several values: all of them have to be right. Empty ones do not count (D10). */
export const several = <T>(about: About, read: (value: string) => Reading<T>): Param<T[]> => ({
  ...about,
  isList: true,
  read(values) {
    const readings = values.filter((value) => value !== '').map(read);
    const wrong = readings.find((one) => 'expected' in one);
    return wrong ?? { value: readings.flatMap((one) => ('value' in one ? [one.value] : [])) };
  },
});

/**
 * Reads a query by its table and collects every problem. Unknown parameters are ignored on GET and refused on PUT
 * and DELETE (D15).
 */
export function readParams<P extends ParamTable>(
  table: P,
  query: RawQuery,
  strangers: 'ignored' | 'refused',
) {
  const problems: Problem[] = [];
  const given = new Map<string, string[]>();
  for (const [key, value] of Object.entries(query)) {
    const name = nameOf(key, table);
    const values = value === undefined ? [] : [value].flat();
    if (name !== null) given.set(name, [...(given.get(name) ?? []), ...values]);
    else if (strangers === 'refused')
      problems.push({
        path: [key],
        message: `unknown parameter; allowed: ${Object.keys(table).join(', ')}`,
      });
  }
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(table)) {
    const path = [param.shownAs ?? name];
    const texts = given.get(name);
    if (texts === undefined) {
      if (param.isRequired) problems.push({ path, message: 'required' });
      continue;
    }
    const reading = param.read(texts);
    if ('value' in reading) values[name] = reading.value;
    else problems.push({ path, message: reading.expected });
  }
  return { values: values as ParamValues<P>, problems };
}

/** The parameter that a key stands for: `state`, and for lists `state[]` and `state[3]`. */
function nameOf(key: string, table: ParamTable): string | null {
  const [, name = '', brackets = ''] = /^([^[]*)((?:\[\d*\])?)$/.exec(key) ?? [];
  const param = Object.hasOwn(table, name) ? table[name] : undefined;
  return param && (brackets === '' || param.isList) ? name : null;
}
