import type { Post } from '../../src/domain/posts/post.js';
import { withGateway } from '../fixtures/gateway.js';
import { waitFor } from '../fixtures/wait-for.js';

const gateway = withGateway();
beforeAll(async () => {
  gateway.startWorker();
});
const SECOND_MS = 1_000;
const POST = `query ($id: ID!) {
  post(id: $id) {
    state postLink publication { remoteId url } actions { action allowed code rule }
    history(first: 1) { nodes { type note user { id } } }
  }
}`;
const read = async ({ id }: Pick<Post, 'id'>) =>
  (await gateway.graphql(POST, { id })).body.data.post;
async function aLivePost(): Promise<Post> {
  const { records, owner } = gateway;
  const account = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
  const time = Math.ceil(Date.now() / SECOND_MS) * SECOND_MS;
  const post = await records.aPost({ by: owner, account, scheduledAt: new Date(time) });
  await waitFor(async () => (await read(post)).state === 'PUBLISHED_POSTED');
  return post;
}
const setFaults = ({ id }: Post, faults: object) =>
  gateway.request(`/sandbox/${id}/faults`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(faults),
  });
const finished = async (jobId: string) => {
  const status = async () => (await gateway.v1('GET', `/job_status/${jobId}`)).body;
  await waitFor(async () => (await status()).status !== 'working');
  return status();
};
const UNPUBLISH = `mutation ($ids: [ID!]!) {
  unpublishPosts(input: {ids: $ids}) { results { id done code } posts { state } job { id kind } userErrors { code field } }
}`;
const actionOf = (post: { actions: { action: string }[] }, name: string) =>
  post.actions.find(({ action }) => action === name);

test('a post is taken back through GraphQL, and both APIs show it', async () => {
  const post = await aLivePost();
  expect(actionOf(await read(post), 'UNPUBLISH')).toMatchObject({ allowed: true });
  const { unpublishPosts } = (await gateway.graphql(UNPUBLISH, { ids: [post.id] })).body.data;
  expect(unpublishPosts).toEqual({
    results: [{ id: post.id, done: true, code: null }],
    posts: [{ state: 'PUBLISHED_POSTED' }],
    job: { id: expect.stringMatching(/^job_/), kind: 'UNPUBLISH' },
    userErrors: [],
  });
  expect(await finished(unpublishPosts.job.id)).toEqual({
    status: 'completed',
    payload: { failures: {} },
  });
  const after = await read(post);
  expect(after).toMatchObject({
    state: 'PUBLISHED_DELETED',
    postLink: null,
    publication: { remoteId: null, url: null },
    history: { nodes: [{ type: 'POST_UNPUBLISHED', user: { id: gateway.owner.user.id } }] },
  });
  expect(actionOf(after, 'UNPUBLISH')).toMatchObject({ allowed: false, code: null });
  expect((await gateway.v1('GET', `/posts/${post.id}`)).body).toMatchObject({
    state: 'published_deleted',
    post_link: null,
  });
  expect((await gateway.request(`/sandbox/${post.id}`)).body).toMatchObject({
    code: 'NOT_IN_SANDBOX',
  });
  expect((await gateway.graphql(UNPUBLISH, { ids: [post.id] })).body.data.unpublishPosts).toEqual({
    results: [{ id: post.id, done: true, code: null }],
    posts: [{ state: 'PUBLISHED_DELETED' }],
    job: null,
    userErrors: [],
  });
});

test('v1 deletes posts on their networks with a job, and the job says what stays', async () => {
  const [removed, refused] = [await aLivePost(), await aLivePost()];
  const faults = await setFaults(refused, { remove: { fault: 'refuse' } });
  expect(faults.body).toMatchObject({ remove: { fault: 'refuse', times: 1 } });
  const params = `post_ids[]=${removed.databaseId}&post_ids[]=${refused.id}&on_network=true`;
  const dry = await gateway.v1('DELETE', `/posts?${params}&dry_run=true`);
  expect([dry.status, dry.body]).toEqual([
    200,
    { deleted_ids: [String(removed.databaseId), refused.id] },
  ]);
  const { status, body } = await gateway.v1('DELETE', `/posts?${params}`);
  expect([status, body]).toEqual([202, { job_id: expect.stringMatching(/^job_/) }]);
  const message = 'Sandbox network: the removal was rejected.';
  expect(await finished(body.job_id)).toEqual({
    status: 'completed',
    payload: { failures: { [refused.id]: [message] } },
  });
  expect((await gateway.v1('GET', `/posts/${removed.id}`)).status).toBe(422);
  expect(await read(refused)).toMatchObject({
    state: 'PUBLISHED_POSTED',
    history: { nodes: [{ type: 'POST_UPDATED', note: expect.stringContaining(message) }] },
  });
});

test('GraphQL deletes posts on their networks with a job', async () => {
  const post = await aLivePost();
  const { body } = await gateway.graphql(
    'mutation ($ids: [ID!]!) { deletePosts(input: {ids: $ids, onNetwork: true}) { deletedIds results { deleted code message } job { id kind } userErrors { code } } }',
    { ids: [post.id] },
  );
  expect(body.data.deletePosts).toEqual({
    deletedIds: [],
    results: [
      {
        deleted: false,
        code: null,
        message: 'The job deletes the post as soon as its network no longer has it.',
      },
    ],
    job: { id: expect.stringMatching(/^job_/), kind: 'UNPUBLISH' },
    userErrors: [],
  });
  expect(await finished(body.data.deletePosts.job.id)).toMatchObject({ status: 'completed' });
  expect(await read(post)).toBeNull();
});

test('v1 has the same refusals as GraphQL', async () => {
  const { records, owner } = gateway;
  const account = await records.anAccount({ workspaceId: owner.workspace.id, network: 'tiktok' });
  const given = { by: owner, account, storedState: 'published_posted', remoteId: '1' } as const;
  const post = await records.aPost(given);
  const { status, body } = await gateway.v1(
    'DELETE',
    `/posts?post_ids[]=${post.id}&on_network=true`,
  );
  expect([status, body.errors]).toEqual([
    403,
    [`${post.id}: The gateway cannot remove posts from tiktok. Delete the post there yourself.`],
  ]);
  const { unpublishPosts } = (await gateway.graphql(UNPUBLISH, { ids: [post.id] })).body.data;
  expect(unpublishPosts).toMatchObject({
    results: [{ done: false, code: 'RULE_VIOLATION' }],
    job: null,
    userErrors: [{ code: 'RULE_VIOLATION', field: ['input', 'ids', '0'] }],
  });
});
