import { withGateway } from '../../fixtures/gateway.js';
import { settled } from '../../fixtures/settled.js';

const gateway = withGateway();

const restore = async (input: object) =>
  (
    await gateway.graphql(
      'mutation ($input: RestorePostsInput!) { restorePosts(input: $input) { results { id done code post { state version actions { action allowed reason } } } posts { id } userErrors { code field postId } clientMutationId } }',
      { input },
    )
  ).body;

test('a post that was deleted through v1 comes back in both APIs, and to clients that follow changes', async () => {
  const { records, owner } = gateway;
  const post = await records.aPost({ by: owner, storedState: 'draft_dated' });
  await settled(gateway.db.pool);
  const start = (await gateway.v1('GET', '/posts/changes')).body.next_cursor;
  await gateway.v1('DELETE', `/posts?post_ids[]=${post.id}`);
  await settled(gateway.db.pool);
  const deleted = (await gateway.v1('GET', `/posts/changes?after=${start}`)).body;
  const unknown = '000000000000000000000000';
  const { data } = await restore({ ids: [post.id, unknown], clientMutationId: 'c' });
  expect(data.restorePosts).toMatchObject({
    results: [
      { id: post.id, done: true, code: null, post: { state: 'DRAFT_DATED', version: 2 } },
      { id: unknown, done: false, code: 'POST_NOT_FOUND', post: null },
    ],
    posts: [{ id: post.id }],
    userErrors: [{ code: 'POST_NOT_FOUND', field: ['input', 'ids', '1'], postId: unknown }],
    clientMutationId: 'c',
  });
  expect(data.restorePosts.results[0].post.actions).toContainEqual({
    action: 'RESTORE',
    allowed: false,
    reason: 'The action would not change the post.',
  });
  expect((await gateway.v1('GET', `/posts/${post.id}`)).body.id).toBe(post.id);
  expect((await gateway.v1('GET', `/posts/${post.id}/history`)).body.history[0]).toMatchObject({
    type: 'post.restored',
    api: 'graphql',
  });
  await settled(gateway.db.pool);
  const restored = (await gateway.v1('GET', `/posts/changes?after=${deleted.next_cursor}`)).body;
  expect(
    [deleted, restored].map(({ changes }) =>
      changes.map(({ kind, post_id: id }: any) => [kind, id]),
    ),
  ).toEqual([[['deleted', post.id]], [['upserted', post.id]]]);
});

test('the number of posts is limited', async () => {
  expect((await restore({ ids: [] })).errors[0].extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: [{ path: ['input', 'ids'] }],
  });
});
