import type { Problem } from '../../domain/errors.js';
import type { JsonSchema } from '../bodies/json-schema.js';

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

type ParamOptions = Pick<QueryParam<unknown>, 'description' | 'schema'> &
  Partial<Pick<QueryParam<unknown>, 'documentedName' | 'isRequired'>>;

/** A parameter with one value. */
export const singleParam = <T>(
  options: ParamOptions,
  read: (value: string) => ReadResult<T>,
): QueryParam<T> => ({
  ...options,
  isList: false,
  read: (values) => (values.length === 1 ? read(values[0]!) : { expected: 'must be sent once' }),
});

/** A parameter with several values, all of which must be valid. Empty values are ignored (D10). */
export const listParam = <T>(
  options: ParamOptions,
  read: (value: string) => ReadResult<T>,
): QueryParam<T[]> => ({
  ...options,
  isList: true,
  read(values) {
    const results = values.filter((value) => value !== '').map(read);
    const invalid = results.find((result) => 'expected' in result);
    return (
      invalid ?? { value: results.flatMap((result) => ('value' in result ? [result.value] : [])) }
    );
  },
});

/** A filter with one value. An empty value is no filter, as in a list (D10). */
export const filterParam = <T>(
  options: ParamOptions,
  read: (value: string) => ReadResult<T>,
): QueryParam<T | undefined> =>
  singleParam<T | undefined>(options, (value) =>
    value === '' ? { value: undefined } : read(value),
  );

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
