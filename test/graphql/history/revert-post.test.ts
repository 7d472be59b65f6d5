import { withGateway } from '../../fixtures/gateway.js';

const gateway = withGateway();

const revert = async (input: object) => {
  const { body } = await gateway.graphql(
    'mutation ($input: RevertPostInput!) { revertPost(input: $input) { post { id text version history { nodes { version api changes { field after } } } } job { id } userErrors { code field postId rule } clientMutationId } }',
    { input },
  );
  return body;
};

test('a revert is an update in the history of the post', async () => {
  const post = await gateway.records.aPost({ by: gateway.owner, text: 'Old' });
  await gateway.v1('PUT', `/posts/${post.id}`, { body: { post: { text: 'New' } } });
  const { data } = await revert({ id: post.id, toVersion: 1, clientMutationId: 'c' });
  expect(data.revertPost).toMatchObject({
    post: { text: 'Old', version: 3 },
    job: null,
    userErrors: [],
    clientMutationId: 'c',
  });
  expect(data.revertPost.post.history.nodes[0]).toEqual({
    version: 3,
    api: 'GRAPHQL',
    changes: [{ field: 'text', after: 'Old' }],
  });
});

test('an unknown version is a user error, and an impossible one is malformed', async () => {
  const post = await gateway.records.aPost({ by: gateway.owner });
  expect((await revert({ id: post.id, toVersion: 2 })).data.revertPost).toMatchObject({
    post: null,
    userErrors: [
      { code: 'RULE_VIOLATION', field: ['input', 'toVersion'], postId: post.id, rule: 'D71' },
    ],
  });
  expect(
    (await revert({ id: post.id, toVersion: 0, idempotencyKey: '' })).errors[0].extensions,
  ).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: [{ path: ['input', 'toVersion'] }, { path: ['input', 'idempotencyKey'] }],
  });
});
