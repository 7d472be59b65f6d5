import fc from 'fast-check';
import openapi from '../../src/rest/openapi.json' with { type: 'json' };
import { nearly, wildValues } from '../fixtures/random/damage.js';
import { createJsonValues, type Schema } from '../fixtures/random/json-values.js';
import { askers, type Ask } from './ask.js';
import { assertNoFault, type Lane } from './lane.js';
import type { World } from './world.js';

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

/** Now and then a value that is none. */
const mostly = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 20, arbitrary: values }, { weight: 1, arbitrary: wildValues });
const asText = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
/** HTTP's own form: no line ends, nothing beyond Latin-1. */
const asHeader = (value: unknown): string =>
  asText(value)
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .trim();
const sometimes = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined, freq: 1 });

/** `state[]` also as `state` and `state[0]`, once or again. */
function queryOf(parameters: readonly Parameter[], values: Values): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema, required = false }) =>
    fc
      .tuple(
        fc.constantFrom(name, name, name, name.replace('[]', ''), name.replace('[]', '[0]')),
        fc.option(mostly(values(schema, name)), { nil: undefined, freq: required ? 9 : 1 }),
      )
      .map(([as, value]) =>
        value === undefined ? [] : [value].flat().map((one): [string, string] => [as, asText(one)]),
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

function askOf(
  { path, method, operation }: (typeof OPERATIONS)[number],
  values: Values,
): fc.Arbitrary<Ask> {
  const parameters = (operation.parameters ?? []).map((one) =>
    one.$ref ? (resolve(one.$ref) as Parameter) : one,
  );
  const of = (place: string): Parameter[] =>
    parameters.filter((one) => one.in === place && one.name !== 'Service-Workspace-Id');
  const named = (all: readonly Parameter[]) =>
    fc.record(
      Object.fromEntries(all.map(({ name, schema }) => [name, mostly(values(schema, name))])),
    );
  const body = operation.requestBody?.content['application/json']?.schema;
  const bodies =
    body &&
    fc.oneof(
      { weight: 7, arbitrary: values(body) },
      { weight: 3, arbitrary: nearly(values(body)) },
      { weight: 1, arbitrary: wildValues },
    );
  return fc
    .record({
      asker: askers,
      path: named(of('path')),
      query: queryOf(of('query'), values),
      headers: fc.record(
        Object.fromEntries(
          of('header').map(({ name, schema }) => [name, sometimes(mostly(values(schema, name)))]),
        ),
      ),
      method: method === 'GET' ? fc.constantFrom('GET', 'GET', 'GET', 'HEAD') : fc.constant(method),
      body: bodies ?? fc.constant(undefined),
    })
    .map(({ asker, headers, body: value, ...one }) => ({
      ...asker,
      method: one.method,
      path:
        path.replace(/\{(\w+)\}/g, (_all, name: string) =>
          encodeURIComponent(asText(one.path[name])),
        ) + one.query,
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

/** Every operation of the OpenAPI document, with parameters, headers and bodies as it describes them, nearly so, and not at all. */
export const restLane: Lane<Ask> = {
  name: 'rest',
  share: 35,
  asked({ pools }: World) {
    const values = createJsonValues(resolve as (ref: string) => Schema, pools);
    return fc.oneof(
      ...OPERATIONS.map((one) => ({
        weight: one.path.startsWith('/v1/posts') ? 4 : 1,
        arbitrary: askOf(one, values),
      })),
    );
  },
  async hold(ask, { send }) {
    const answer = await send(ask);
    assertNoFault(answer);
    return `${ask.method} ${answer.status}`;
  },
};
