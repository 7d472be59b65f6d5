import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import { suite } from '../setup/suite.js';
import { openAuditedGateway, type AuditedGateway } from './audited-gateway.js';

/**
 * What graphql-cop and the OWASP cheat sheet search responses for: suggestions, traces, internal
 * details, pages.
 */
let gateway: AuditedGateway;
let withoutPlayground: AuditedGateway;
beforeAll(async () => {
  [gateway, withoutPlayground] = await Promise.all([
    openAuditedGateway(),
    openAuditedGateway({ playground: false }),
  ]);
});
afterAll(async () => {
  await Promise.all([gateway.close(), withoutPlayground.close()]);
  suite.report(
    `Disclosure: ${MISSPELLINGS.length} misspellings, compared with ${names.length} names.`,
  );
});

const schema = buildSchema(
  readFileSync(path.resolve(__dirname, '../../src/graphql/schema.graphql'), 'utf8'),
);
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
/** All names that a suggestion could contain. */
const names = [
  ...new Set(
    types.flatMap((type) => [
      type.name,
      ...(isEnumType(type) ? type.getValues().map(({ name }) => name) : []),
      ...(isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []),
    ]),
  ),
].filter((name) => name.length > 3);

/**
 * Names misspelled by one letter, for which graphql-js suggests corrections; and the names that an
 * error may contain because they are in the query or enclose the mistake.
 */
const MISSPELLINGS: [
  what: string,
  query: string,
  variables: Record<string, unknown>,
  allowed: string[],
][] = [
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

it.each(MISSPELLINGS)('suggests no correction for %s', async (_what, query, variables, allowed) => {
  const { body } = await gateway.graphql(query, variables);
  const messages = (body.errors as { message: string }[]).map(({ message }) => message).join('\n');
  expect(messages).not.toMatch(/did you mean/i);
  const mentioned = names.filter((name) => new RegExp(`["'\`]${name}["'\`]`).test(messages));
  expect(mentioned.filter((name) => !allowed.includes(name))).toEqual([]);
});

it.each([
  ['a syntax error', 'qwerty'],
  ['a validation error', '{ qwerty }'],
  ['an error of a variable', 'query($n: Int) { posts(first: $n) { totalCount } }'],
  ['an error of a resolver', '{ posts(first: 0) { totalCount } }'],
])('%s contains no stack, file path, module or SQL statement', async (_what, query) => {
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

it('returns no trace, even if a header requests one (trace_mode)', async () => {
  const { body } = await gateway.graphql(
    '{ viewer { role } }',
    {},
    { headers: { 'apollo-federation-include-trace': 'ftv1', 'X-Apollo-Tracing': '1' } },
  );
  expect(Object.keys(body.extensions).sort()).toEqual(['cost', 'rateLimit']);
});

it('requires a key for introspection (introspection)', async () => {
  const query = '{ __schema { queryType { name } } }';
  expect((await gateway.graphql(query)).body.data.__schema.queryType.name).toBe('Query');
  expect((await gateway.graphql(query, {}, { key: null })).body).toEqual({
    errors: [{ message: expect.any(String), extensions: { code: 'UNAUTHENTICATED' } }],
  });
});

it('serves no page if the playground is off (detect_graphiql)', async () => {
  const getPage = (path: string) =>
    withoutPlayground.request(path, {
      caller: { key: null, workspace: null },
      headers: { Accept: 'text/html' },
    });
  expect((await getPage('/playground')).status).toBe(404);
  expect(String((await getPage('/graphql')).body)).not.toMatch(/graphiql|playground|<script/i);
});

it('runs no query that a page of another site can send without a CORS preflight (get_method_support, CSRF)', async () => {
  const noCredentials = { key: null, workspace: null };
  const linked = await gateway.request('/graphql?query=%7B__typename%7D', {
    caller: noCredentials,
  });
  expect({ status: linked.status, code: linked.body.errors[0].extensions.code }).toEqual({
    status: 401,
    code: 'UNAUTHENTICATED',
  });
  // A key is sent in a header, never in a cookie: browsers send a preflight, and the response
  // allows no origin.
  const preflight = await gateway.request('/graphql', {
    method: 'OPTIONS',
    caller: noCredentials,
    headers: {
      Origin: 'https://evil.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    },
  });
  expect(
    [...preflight.headers.keys()].filter(
      (name) => name.startsWith('access-control-') || name === 'set-cookie',
    ),
  ).toEqual([]);
});
