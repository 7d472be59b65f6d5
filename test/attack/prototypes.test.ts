import { attackedGateway, type Attacked } from './attacked.js';
import { suite } from '../setup/suite.js';
import { makeOwn, OWN } from './own.js';

/** Names that mean something to JavaScript, as keys, ids and words: they have to be data like any other. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
] as const;

let gateway: Attacked;
let shapes: string;
beforeAll(async () => {
  gateway = await attackedGateway();
  await makeOwn(gateway, gateway.owner);
  shapes = shapesOfBuiltIns();
});
afterEach(() => expect(shapesOfBuiltIns()).toBe(shapes));
afterAll(async () => {
  await gateway.close();
  suite.tell(`Prototypes: ${NAMES.length} names as keys, words and ids.`);
});

/** What every object, list and function inherits. */
const shapesOfBuiltIns = (): string =>
  JSON.stringify(
    [Object.prototype, Array.prototype, Function.prototype].map((one) =>
      Reflect.ownKeys(one).map(String),
    ),
  );
const json = { 'Content-Type': 'application/json' };
const put = (body: string) =>
  gateway.ask(`/v1/posts/${OWN.post}`, { method: 'PUT', headers: json, body });
const UPDATE =
  'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { content { data } labels { name } tags } userErrors { code } } }';

it.each(NAMES)('keeps %s inside content as it was given, through both doors', async (name) => {
  const data = `{"text":"x","${name}":{"polluted":1}}`;
  const throughV1 = await put(`{"post":{"content":[{"type":"paragraph","data":${data}}]}}`);
  expect(throughV1.status).toBe(200);
  const body = `{"query":${JSON.stringify(UPDATE)},"variables":{"input":{"id":"${OWN.post}","post":{"tags":["${name}"],"labels":[{"name":"${name}"}],"content":[{"type":"paragraph","data":${data}}]}}}}`;
  const answer = await gateway.ask('/graphql', { method: 'POST', headers: json, body });
  const { post, userErrors } = answer.body.data.updatePost;
  expect({ userErrors, labels: post.labels, tags: post.tags }).toEqual({
    userErrors: [],
    labels: [{ name }],
    tags: [name],
  });
  expect(JSON.stringify(post.content[0].data)).toBe(data);
});

it.each(NAMES)('does not know the field %s where fields have names', async (name) => {
  const throughV1 = await put(
    `{"post":{"${name}":{"polluted":1},"link":{"${name}":"x"},"details":{"${name}":true}},"${name}":{}}`,
  );
  expect({
    status: throughV1.status,
    code: throughV1.body.code,
    problems: throughV1.body.errors.length,
  }).toEqual({ status: 400, code: 'BAD_USER_INPUT', problems: 4 });
  for (const variables of [
    `{"input":{"id":"1","post":{"${name}":1}}}`,
    `{"input":{"id":"1","post":{},"${name}":1}}`,
  ]) {
    const answer = await gateway.ask('/graphql', {
      method: 'POST',
      headers: json,
      body: `{"query":${JSON.stringify(UPDATE)},"variables":${variables}}`,
    });
    expect(answer.body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  }
  const besides = await gateway.ask('/graphql', {
    method: 'POST',
    headers: json,
    body: `{"query":"{ __typename }","${name}":{"polluted":1},"variables":{"${name}":1},"extensions":{"${name}":1}}`,
  });
  expect(besides.body.data).toEqual({ __typename: 'Query' });
});

it.each(NAMES)(
  'takes %s as an id that nobody has, and as a parameter that there is not',
  async (name) => {
    expect((await gateway.v1('GET', `/posts/${name}`)).status).toBe(422);
    expect((await gateway.v1('GET', `/job_status/${name}`)).status).toBe(404);
    expect(
      (await gateway.v1('GET', `/posts?${name}=x&${name}[polluted]=1&state[${name}]=draft`)).status,
    ).toBe(200);
    const removed = await gateway.v1(
      'DELETE',
      `/posts?post_ids[]=${name}&post_ids[]=${OWN.series}&dry_run=true`,
    );
    expect({ status: removed.status, failures: Object.keys(removed.body.failures) }).toEqual({
      status: 200,
      failures: [name],
    });
    const { body } = await gateway.graphql(
      'query($ids: [ID!]!) { nodes(ids: $ids) { id } posts(filter: { accountIds: $ids, labelIds: $ids }) { totalCount } }',
      { ids: [name] },
    );
    expect(body.data).toEqual({ nodes: [null], posts: { totalCount: 0 } });
    const fields = await gateway.graphql(`{ ${name} posts { ${name} } }`);
    expect(
      fields.body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code),
    ).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT']);
  },
);
