import { forAllTests } from '../fixtures/lifecycle.js';
import { gatewayWith, type TestResponse } from '../fixtures/gateway.js';
import { GRAPHQL_INPUTS, REST_INPUTS } from './all-inputs.js';
import { createOwnPosts } from './own-posts.js';
import { sendRestInput } from './send-rest-input.js';

jest.setTimeout(300_000);

/**
 * A value of another type, a text that no input takes, and a number out of range. Each input gets
 * one of them, and inputs of the same kind different ones.
 */
const WRONG_VALUES: readonly unknown[] = [{ wrong: 1 }, '\0', -1];
/** Without what HTTP clients send in no header. */
const WRONG_REST_VALUES: readonly unknown[] = [{ wrong: 1 }, 'no such value', -1];
/** Codes whose messages are about values that the client sent. */
const INPUT_CODES = ['BAD_USER_INPUT', 'RULE_VIOLATION'];

const gateway = forAllTests(() => gatewayWith(), 'close');
beforeAll(() => createOwnPosts(gateway, gateway.owner));

/** The words with which messages name a part of an input: `accountId` and `account`. */
const wordsOf = (name: string): string[] =>
  name.match(/\w+/g)!.flatMap((word) => [word, word.replace(/_?[iI]d$/, '')]);

/** Matches the name of an input, by operation. */
function namesByOperation(
  inputs: readonly { readonly name: string }[],
  operationOf: (name: string) => string,
): ReadonlyMap<string, RegExp> {
  const words = new Map<string, Set<string>>();
  for (const { name } of inputs) {
    const operation = operationOf(name);
    const known = words.get(operation) ?? new Set();
    wordsOf(name.slice(operation.length)).forEach((word) => known.add(word));
    words.set(operation, known);
  }
  return new Map(
    [...words].map(([operation, names]) => {
      names.delete('');
      return [operation, new RegExp(`\\b(?:${[...names].join('|')})\\b`)];
    }),
  );
}

/** `Query.posts` of `Query.posts.filter.states`. */
const fieldOf = (name: string): string => name.split('.').slice(0, 2).join('.');
const GRAPHQL_NAMES = namesByOperation(GRAPHQL_INPUTS, fieldOf);

function graphqlFaults(name: string, { body }: TestResponse<any>): string[] {
  const names = GRAPHQL_NAMES.get(fieldOf(name))!;
  const thrown = (body.errors ?? []) as any[];
  const refused = Object.values((body.data ?? {}) as Record<string, any>).flatMap(
    (payload) => payload?.userErrors ?? [],
  );
  return [
    ...thrown.flatMap(({ message, path, extensions: { code } }) => [
      ...(code === undefined ? [`without a code: ${message}`] : []),
      ...(body.data !== undefined && path === undefined ? [`without a path: ${message}`] : []),
      ...(INPUT_CODES.includes(code) && !/"\$value"/.test(message) && !names.test(message)
        ? [`names no field: ${message}`]
        : []),
    ]),
    ...refused.flatMap(({ code, field, message }) =>
      field?.[0] === 'input' ? [] : [`${code} without a field: ${message}`],
    ),
  ];
}

/** `PUT /v1/posts/{id}` of `PUT /v1/posts/{id}: body post.text`. */
const routeOf = (name: string): string => name.split(': ')[0]!;
const REST_NAMES = namesByOperation(REST_INPUTS, routeOf);

/** Messages about a post begin with its ID. */
const POST_ID = /^[0-9a-f]{24}: /;

function restFaults(name: string, { status, body }: TestResponse<any>): string[] {
  if (status < 400) return [];
  const { errors, code, message } = body ?? {};
  if (typeof code !== 'string' || typeof message !== 'string' || !(errors?.length > 0))
    return [`has another form: ${JSON.stringify(body)}`];
  const names = REST_NAMES.get(routeOf(name))!;
  const isNamed = (text: string): boolean => names.test(text) || POST_ID.test(text);
  return INPUT_CODES.includes(code)
    ? (errors as string[]).filter((text) => !isNamed(text)).map((text) => `${code}: ${text}`)
    : [];
}

it('each error of GraphQL has a code and a path, and names the input that it is about', async () => {
  const faults: string[] = [];
  let rejections = 0;
  for (const [index, input] of GRAPHQL_INPUTS.entries()) {
    const value = WRONG_VALUES[index % WRONG_VALUES.length];
    const response = await gateway.graphql(input.query, { value: input.toVariable(value) });
    const found = graphqlFaults(input.name, response);
    if (JSON.stringify(response.body).includes('"code"')) rejections++;
    faults.push(...found.map((fault) => `${input.name} = ${JSON.stringify(value)} ${fault}`));
  }
  expect(faults).toEqual([]);
  expect(rejections).toBeGreaterThan(GRAPHQL_INPUTS.length / 2);
});

it('each error of REST v1 has a code, and names the parameter or the key that it is about', async () => {
  const faults: string[] = [];
  let rejections = 0;
  for (const [index, input] of REST_INPUTS.entries()) {
    const value = WRONG_REST_VALUES[index % WRONG_REST_VALUES.length];
    const response = await sendRestInput(gateway, { input, value: value as string });
    const found = restFaults(input.name, response);
    if (response.status >= 400) rejections++;
    faults.push(...found.map((fault) => `${input.name} = ${JSON.stringify(value)} ${fault}`));
  }
  expect(faults).toEqual([]);
  expect(rejections).toBeGreaterThan(REST_INPUTS.length / 2);
});
