import fc from 'fast-check';
import openapi from '../../src/rest/openapi.json' with { type: 'json' };
import { mutated, wildValues } from '../fixtures/random/mutations.js';
import { createJsonValues, type Schema } from '../fixtures/random/json-values.js';
import { callers, type FuzzRequest } from './fuzz-request.js';
import { assertNoServerError, type FuzzTarget } from './fuzz-target.js';
import type { FuzzDatabase } from './fuzz-database.js';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}
type Values = ReturnType<typeof createJsonValues>;

const resolve = (ref: string): unknown =>
  ref
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], openapi);
const OPERATIONS = Object.entries(
  openapi.paths as unknown as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation,
  })),
);

/** Values, and occasionally one of any type. */
const mostly = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 20, arbitrary: values }, { weight: 1, arbitrary: wildValues });
const asText = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
/** Valid in an HTTP header: no line breaks, only Latin-1. */
const asHeader = (value: unknown): string =>
  asText(value)
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .trim();
const sometimes = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined, freq: 1 });

/** A query string. Writes `state[]` also as `state` and `state[0]`, once or repeatedly. */
function queryOf(parameters: readonly Parameter[], values: Values): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema, required = false }) =>
    fc
      .tuple(
        fc.constantFrom(name, name, name, name.replace('[]', ''), name.replace('[]', '[0]')),
        fc.option(mostly(values(schema, name)), { nil: undefined, freq: required ? 9 : 1 }),
      )
      .map(([writtenName, value]) =>
        value === undefined
          ? []
          : [value].flat().map((item): [string, string] => [writtenName, asText(item)]),
      ),
  );
  const unknown = fc
    .option(fc.tuple(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 })), { freq: 1 })
    .map((pair) => (pair ? [pair] : []));
  return fc
    .tuple(
      fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: unknown }),
      ...pairs,
    )
    .map((all) => {
      const text = new URLSearchParams(all.flat()).toString();
      return text && `?${text}`;
    });
}

function arbitraryRequest(
  { path, method, operation }: (typeof OPERATIONS)[number],
  values: Values,
): fc.Arbitrary<FuzzRequest> {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    parameter.$ref ? (resolve(parameter.$ref) as Parameter) : parameter,
  );
  const parametersIn = (location: string): Parameter[] =>
    parameters.filter(
      (parameter) => parameter.in === location && parameter.name !== 'Service-Workspace-Id',
    );
  const valuesByName = (named: readonly Parameter[]) =>
    fc.record(
      Object.fromEntries(named.map(({ name, schema }) => [name, mostly(values(schema, name))])),
    );
  const body = operation.requestBody?.content['application/json']?.schema;
  const bodies =
    body &&
    fc.oneof(
      { weight: 7, arbitrary: values(body) },
      { weight: 3, arbitrary: mutated(values(body)) },
      { weight: 1, arbitrary: wildValues },
    );
  return fc
    .record({
      caller: callers,
      path: valuesByName(parametersIn('path')),
      query: queryOf(parametersIn('query'), values),
      headers: fc.record(
        Object.fromEntries(
          parametersIn('header').map(({ name, schema }) => [
            name,
            sometimes(mostly(values(schema, name))),
          ]),
        ),
      ),
      method: method === 'GET' ? fc.constantFrom('GET', 'GET', 'GET', 'HEAD') : fc.constant(method),
      body: bodies ?? fc.constant(undefined),
    })
    .map(({ caller, headers, body: value, ...request }) => ({
      ...caller,
      method: request.method,
      path:
        path.replace(/\{(\w+)\}/g, (_all, name: string) =>
          encodeURIComponent(asText(request.path[name])),
        ) + request.query,
      headers: {
        ...Object.fromEntries(
          Object.entries(headers)
            .filter(([, header]) => header !== undefined)
            .map(([name, header]) => [name, asHeader(header)]),
        ),
        ...(value !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(value !== undefined && { body: JSON.stringify(value) }),
    }));
}

/**
 * Every operation of the OpenAPI document, with parameters, headers and bodies that match it,
 * almost match it, or do not match it.
 */
export const restTarget: FuzzTarget<FuzzRequest> = {
  name: 'rest',
  share: 35,
  requests({ pools }: FuzzDatabase) {
    const values = createJsonValues(resolve as (ref: string) => Schema, pools);
    return fc.oneof(
      ...OPERATIONS.map((operation) => ({
        weight: operation.path.startsWith('/v1/posts') ? 4 : 1,
        arbitrary: arbitraryRequest(operation, values),
      })),
    );
  },
  async check(request, { send }) {
    const response = await send(request);
    assertNoServerError(response);
    return `${request.method} ${response.status}`;
  },
};
