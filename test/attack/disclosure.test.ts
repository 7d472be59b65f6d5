import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import { suite } from '../setup/suite.js';
import { attackedGateway, type Attacked } from './attacked.js';

/** What graphql-cop and the OWASP cheat sheet look for in answers: hints, traces, inner detail, pages. */
let gateway: Attacked;
let closed: Attacked;
beforeAll(async () => {
  [gateway, closed] = await Promise.all([
    attackedGateway(),
    attackedGateway({ playground: false }),
  ]);
});
afterAll(async () => {
  await Promise.all([gateway.close(), closed.close()]);
  suite.tell(`Disclosure: ${GUESSES.length} guesses, held to ${names.length} names.`);
});

const schema = buildSchema(
  readFileSync(path.resolve(__dirname, '../../src/graphql/schema.graphql'), 'utf8'),
);
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
/** Every name that a guess could be led to. */
const names = [
  ...new Set(
    types.flatMap((type) => [
      type.name,
      ...(isEnumType(type) ? type.getValues().map(({ name }) => name) : []),
      ...(isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []),
    ]),
  ),
].filter((name) => name.length > 3);

/** Wrong by one letter each, which graphql-js would correct; and the names that stand in the query or around the mistake. */
const GUESSES: [what: string, query: string, variables: Record<string, unknown>, told: string[]][] =
  [
    ['a field', '{ vieer { role } }', {}, ['Query']],
    ['a field of a type', '{ viewer { plam } }', {}, ['Viewer']],
    ['an argument', '{ posts(filtr: {}) { totalCount } }', {}, ['posts', 'Query']],
    ['a type', '{ node(id: "1") { ... on Accont { id } } }', {}, []],
    ['a field of an input', '{ posts(filter: { stats: [] }) { totalCount } }', {}, ['PostFilter']],
    [
      'a field of an input in a variable',
      'query($f: PostFilter) { posts(filter: $f) { totalCount } }',
      { f: { acountIds: [] } },
      ['PostFilter'],
    ],
    [
      'a field of an input deep in a variable',
      'mutation($i: UpdatePostInput!) { updatePost(input: $i) { clientMutationId } }',
      { i: { id: '1', post: { detals: {} } } },
      ['PostPatch', 'post', 'input'],
    ],
    ['a type of a variable', 'query($f: PostFiltr) { posts(filter: $f) { totalCount } }', {}, []],
    ['a directive', '{ viewer @includ(if: true) { role } }', {}, []],
    [
      'a fragment',
      '{ viewer { ...Viewr } } fragment Viewer on Viewer { role }',
      {},
      ['Viewer', 'role'],
    ],
  ];

it.each(GUESSES)('gives no hint at the name of %s', async (_what, query, variables, told) => {
  const { body } = await gateway.graphql(query, variables);
  const messages = (body.errors as { message: string }[]).map(({ message }) => message).join('\n');
  expect(messages).not.toMatch(/did you mean/i);
  const said = names.filter((name) => new RegExp(`["'\`]${name}["'\`]`).test(messages));
  expect(said.filter((name) => !told.includes(name))).toEqual([]);
});

it.each([
  ['a syntax error', 'qwerty'],
  ['a validation error', '{ qwerty }'],
  ['a variable’s error', 'query($n: Int) { posts(first: $n) { totalCount } }'],
  ['a resolver’s refusal', '{ posts(first: 0) { totalCount } }'],
])('tells of %s no stack, no path of a file, no module and no statement', async (_what, query) => {
  const { body } = await gateway.graphql(
    query,
    { n: 'x' },
    { headers: { 'apollo-federation-include-trace': 'ftv1', 'X-Apollo-Tracing': '1' } },
  );
  expect(body.errors.length).toBeGreaterThan(0);
  for (const error of body.errors) {
    expect(
      Object.keys(error).filter(
        (key) => !['message', 'locations', 'path', 'extensions'].includes(key),
      ),
    ).toEqual([]);
    expect(
      Object.keys(error.extensions).filter((key) => !['code', 'problems'].includes(key)),
    ).toEqual([]);
  }
  expect(JSON.stringify(body)).not.toMatch(
    /stacktrace|exception|node_modules|\.[jt]s:\d|SELECT|prisma|postgres/i,
  );
});

it('traces nothing, whatever is asked for it (trace_mode)', async () => {
  const { body } = await gateway.graphql(
    '{ viewer { role } }',
    {},
    { headers: { 'apollo-federation-include-trace': 'ftv1', 'X-Apollo-Tracing': '1' } },
  );
  expect(Object.keys(body.extensions).sort()).toEqual(['cost', 'rateLimit']);
});

it('shows its schema to keys alone (introspection)', async () => {
  const query = '{ __schema { queryType { name } } }';
  expect((await gateway.graphql(query)).body.data.__schema.queryType.name).toBe('Query');
  expect((await gateway.graphql(query, {}, { key: null })).body).toEqual({
    errors: [{ message: expect.any(String), extensions: { code: 'UNAUTHENTICATED' } }],
  });
});

it('has no page to ask with where the playground is off (detect_graphiql)', async () => {
  const page = (path: string) =>
    closed.ask(path, { asking: { key: null, workspace: null }, headers: { Accept: 'text/html' } });
  expect((await page('/playground')).status).toBe(404);
  expect(String((await page('/graphql')).body)).not.toMatch(/graphiql|playground|<script/i);
});

it('runs no query that another site’s page could send without asking first (get_method_support, CSRF)', async () => {
  const simple = { key: null, workspace: null };
  const byLink = await gateway.ask('/graphql?query=%7B__typename%7D', { asking: simple });
  expect({ status: byLink.status, code: byLink.body.errors[0].extensions.code }).toEqual({
    status: 401,
    code: 'UNAUTHENTICATED',
  });
  // A key goes in a header of its own, never in a cookie: a browser asks first, and is told of no other origin that may.
  const asked = await gateway.ask('/graphql', {
    method: 'OPTIONS',
    asking: simple,
    headers: {
      Origin: 'https://evil.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    },
  });
  expect(
    [...asked.headers.keys()].filter(
      (name) => name.startsWith('access-control-') || name === 'set-cookie',
    ),
  ).toEqual([]);
});
