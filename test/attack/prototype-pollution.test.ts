import { suite } from '../setup/suite.js';
import { openAuditedGateway } from './audited-gateway.js';
import { createOwnPosts, OWN_POST_IDS } from './own-posts.js';
import { forAllTests } from '../fixtures/lifecycle.js';

/** Property names of JavaScript prototypes. As keys, ids and texts they must be ordinary data. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
] as const;
let prototypeKeys: string;
const gateway = forAllTests(() => openAuditedGateway());
beforeAll(async () => {
  await createOwnPosts(gateway, gateway.owner);
  prototypeKeys = readPrototypeKeys();
});
afterEach(() => expect(readPrototypeKeys()).toBe(prototypeKeys));
afterAll(async () => {
  await gateway.close();
  suite.report(`Prototypes: ${NAMES.length} names as keys, texts and IDs.`);
});

/** The keys that all objects, arrays and functions inherit. */
const readPrototypeKeys = (): string =>
  JSON.stringify(
    [Object.prototype, Array.prototype, Function.prototype].map((prototype) =>
      Reflect.ownKeys(prototype).map(String),
    ),
  );
const json = { 'Content-Type': 'application/json' };
const put = (body: string) =>
  gateway.request(`/v1/posts/${OWN_POST_IDS.post}`, { method: 'PUT', headers: json, body });
const UPDATE =
  'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { content { data } labels { name } tags } userErrors { code } } }';

it.each(NAMES)('stores %s inside content unchanged, over both APIs', async (name) => {
  const data = `{"text":"x","${name}":{"polluted":1}}`;
  const restResponse = await put(`{"post":{"content":[{"type":"paragraph","data":${data}}]}}`);
  expect(restResponse.status).toBe(200);
  const body = `{"query":${JSON.stringify(UPDATE)},"variables":{"input":{"id":"${OWN_POST_IDS.post}","post":{"tags":["${name}"],"labels":[{"name":"${name}"}],"content":[{"type":"paragraph","data":${data}}]}}}}`;
  const response = await gateway.request('/graphql', { method: 'POST', headers: json, body });
  const { post, userErrors } = response.body.data.updatePost;
  expect({ userErrors, labels: post.labels, tags: post.tags }).toEqual({
    userErrors: [],
    labels: [{ name }],
    tags: [name],
  });
  expect(JSON.stringify(post.content[0].data)).toBe(data);
});

it.each(NAMES)('rejects the unknown field %s', async (name) => {
  const restResponse = await put(
    `{"post":{"${name}":{"polluted":1},"link":{"${name}":"x"},"details":{"${name}":true}},"${name}":{}}`,
  );
  expect({
    status: restResponse.status,
    code: restResponse.body.code,
    problems: restResponse.body.errors.length,
  }).toEqual({ status: 400, code: 'BAD_USER_INPUT', problems: 4 });
  for (const variables of [
    `{"input":{"id":"1","post":{"${name}":1}}}`,
    `{"input":{"id":"1","post":{},"${name}":1}}`,
  ]) {
    const response = await gateway.request('/graphql', {
      method: 'POST',
      headers: json,
      body: `{"query":${JSON.stringify(UPDATE)},"variables":${variables}}`,
    });
    expect(response.body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  }
  const ignored = await gateway.request('/graphql', {
    method: 'POST',
    headers: json,
    body: `{"query":"{ __typename }","${name}":{"polluted":1},"variables":{"${name}":1},"extensions":{"${name}":1}}`,
  });
  expect(ignored.body.data).toEqual({ __typename: 'Query' });
});

it.each(NAMES)('treats %s as an unknown id and an unknown parameter', async (name) => {
  expect((await gateway.v1('GET', `/posts/${name}`)).status).toBe(422);
  expect((await gateway.v1('GET', `/job_status/${name}`)).status).toBe(404);
  expect((await gateway.v1('GET', `/posts?${name}=x&${name}[polluted]=1`)).status).toBe(200);
  expect((await gateway.v1('GET', `/posts?state[${name}]=draft`)).status).toBe(400);
  const deletion = await gateway.v1(
    'DELETE',
    `/posts?post_ids[]=${name}&post_ids[]=${OWN_POST_IDS.series}&dry_run=true`,
  );
  expect({ status: deletion.status, failures: Object.keys(deletion.body.failures) }).toEqual({
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
});
