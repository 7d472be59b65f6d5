import type { Post } from '../../src/domain/posts/post.js';
import { requestsOf } from '../fixtures/both-apis.js';
import { withGateway } from '../fixtures/gateway.js';
import type { PostOptions } from '../fixtures/records.js';
import { waitFor } from '../fixtures/wait-for.js';
import { forEachTest } from '../fixtures/lifecycle.js';

const gateway = withGateway();
beforeAll(async () => {
  gateway.startWorker();
});
// The sandbox clock belongs to the workspace.
const as = forEachTest(() => gateway.records.aViewer({ role: 'owner' }));
const api = forEachTest(() => requestsOf(gateway, as));

const [SECOND_MS, HOUR_MS, DAY_MS] = [1_000, 3_600_000, 86_400_000];
const anAccount = () => gateway.records.anAccount({ workspaceId: as.workspace.id, sandbox: true });
/** A post of a sandbox account, which is due in two seconds, and the faults of its network. */
async function aDuePost(
  faults: object | null,
  { inMs = 2 * SECOND_MS, ...given }: Partial<PostOptions> & { inMs?: number } = {},
): Promise<Post> {
  const scheduledAt = new Date(Math.ceil((Date.now() + inMs) / SECOND_MS) * SECOND_MS);
  const account = await anAccount();
  const post = await gateway.records.aPost({ by: as, account, scheduledAt, ...given });
  if (faults) await api.setSandbox(`${post.id}/faults`, faults);
  return post;
}
const becomes = (post: Post, status: string) =>
  waitFor(async () => (await api.show(post)).graphql.publication.status === status);
const retry = (post: Post, more: object = {}) =>
  api.mutate(
    'retryPosts',
    { ids: [post.id], ...more },
    'results { done code message } job { kind }',
  );
const resolve = (post: Post, url: string) =>
  api.mutate('resolvePublication', { id: post.id, url }, 'post { state } userErrors { code }');
/** Changes the post through both APIs: the code of GraphQL, and the status of v1. */
const edit = async ({ id }: Post, patch: object) => {
  const { userErrors } = await api.mutate('updatePost', { id, post: patch }, 'userErrors { code }');
  const { status } = await gateway.v1('PUT', `/posts/${id}`, { as, body: { post: patch } });
  return [userErrors[0]?.code, status];
};
/** How often the post is on the sandbox network. */
const copiesOf = async ({ id }: Post): Promise<number> => {
  const { rowCount } = await gateway.db.pool.query(
    'SELECT FROM sandbox_delivery WHERE post_doc_id = $1 AND removed_at IS NULL',
    [id],
  );
  return rowCount!;
};

/** A post of which the network cannot tell whether it has it. */
async function anUnconfirmedPost(fault: 'cut_before' | 'cut_after'): Promise<Post> {
  const post = await aDuePost({ guarantee: 'cannot_tell', publish: { fault, times: 1 } });
  await becomes(post, 'SENDING');
  await waitFor(async () => (await copiesOf(post)) === (fault === 'cut_after' ? 1 : 0));
  // As if the time limit of the call had passed.
  const { pool } = gateway.db;
  await waitFor(async () => {
    await pool.query(
      "UPDATE publication_attempt SET armed_at = armed_at - interval '1 minute' WHERE post_id = $1 AND finished_at IS NULL",
      [post.databaseId],
    );
    await pool.query(
      "UPDATE job SET due_at = now() WHERE post_id = $1 AND kind = 'publish' AND status = 'working' AND leased_until IS NULL",
      [post.databaseId],
    );
    return (await api.show(post)).graphql.publication.status === 'UNCONFIRMED';
  });
  return post;
}

test('an unconfirmed post is failed in v1 and waits for a person, who says that it is live', async () => {
  const post = await anUnconfirmedPost('cut_after');
  const { graphql } = await api.show(post);
  expect(graphql).toMatchObject({
    state: 'FAILED',
    publication: { attempts: 1, error: { code: 'UNCONFIRMED', source: 'NETWORK' } },
  });
  expect(await retry(post)).toMatchObject({
    results: [{ done: false, code: 'RULE_VIOLATION' }],
    job: null,
  });
  expect(await copiesOf(post)).toBe(1);
  // What may be on the network stays as it was sent.
  expect(await edit(post, { text: 'Edited' })).toEqual(['RULE_VIOLATION', 422]);
  expect((await api.show(post)).graphql).toMatchObject({
    text: post.text,
    version: graphql.version,
  });
  expect(await edit(post, { labels: [{ name: 'checked' }] })).toEqual([undefined, 200]);
  const url = `https://mastodon.sandbox.example/${post.account!.id}/1`;
  expect(await resolve(post, url)).toEqual({ post: { state: 'PUBLISHED_POSTED' }, userErrors: [] });
  expect((await api.show(post)).v1).toMatchObject({ state: 'published_posted', post_link: url });
});

test('an unconfirmed post is published again after a person says that it is not live', async () => {
  const post = await anUnconfirmedPost('cut_before');
  expect(await retry(post, { confirmNotLive: true })).toMatchObject({
    results: [{ done: true, code: null }],
    job: { kind: 'SHARE' },
  });
  await becomes(post, 'PUBLISHED');
  expect((await api.show(post)).v1.state).toBe('published_posted');
  expect(await copiesOf(post)).toBe(1);
});

test('a rejected token holds the posts of the account; connected again, those that are in time are published', async () => {
  const account = await anAccount();
  const post = await aDuePost({ token_expired: true }, { account });
  const late = [
    await aDuePost(null, { account, inMs: HOUR_MS }),
    await aDuePost(null, { account, inMs: HOUR_MS }),
  ];
  for (const one of [post, ...late])
    await waitFor(async () => (await api.show(one)).v1.state === 'scheduled_reauth');
  expect((await api.show(post)).graphql.publication.error.source).toBe('ACCOUNT');
  await gateway.db.pool.query(
    "UPDATE post SET scheduled_at = scheduled_at - interval '4 hours' WHERE id = ANY($1::bigint[])",
    [late.map(({ databaseId }) => databaseId)],
  );
  await api.setSandbox(`${post.id}/faults`, { token_expired: false });
  await becomes(post, 'PUBLISHED');
  for (const one of late) await becomes(one, 'MISSED');
  expect(await Promise.all([post, ...late].map(copiesOf))).toEqual([1, 0, 0]);
  expect(await api.notifications()).toEqual(['publication_missed']);
});

test('between two attempts, a post can be moved to a later date and to the drafts, and deleted', async () => {
  const post = await aDuePost({ rate_limit_seconds: 1_800 });
  await waitFor(async () => (await api.show(post)).graphql.publication.error !== null);
  const scheduledAt = new Date(post.scheduledAt!.getTime() + DAY_MS).toISOString();
  const input = { id: post.id, post: { scheduledAt } };
  expect(await api.mutate('updatePost', input, 'userErrors { code }')).toEqual({ userErrors: [] });
  expect((await api.show(post)).graphql).toMatchObject({
    state: 'SCHEDULED',
    scheduledAt,
    publication: { status: 'WAITING', nextAttemptAt: scheduledAt },
  });
  await api.mutate('schedulePosts', { ids: [post.id], mode: 'DRAFT' }, 'userErrors { code }');
  const { graphql, v1 } = await api.show(post);
  expect([graphql.publication, v1.state]).toEqual([null, 'draft_dated']);
  const deleted = await gateway.v1('DELETE', `/posts?post_ids[]=${post.id}`, { as });
  expect(deleted.body).toEqual({ deleted_ids: [post.id] });
  expect(await copiesOf(post)).toBe(0);
});

test('a post that waits for a rate limit can be changed through v1, and is published with the change', async () => {
  const post = await aDuePost({ rate_limit_seconds: 1_800 });
  await waitFor(async () => (await api.show(post)).graphql.publication.error !== null);
  const { graphql } = await api.show(post);
  expect(graphql).toMatchObject({
    state: 'SCHEDULED',
    version: 1,
    queued: false,
    publication: {
      status: 'WAITING',
      attempts: 1,
      error: { code: 'NETWORK_RATE_LIMITED', source: 'ACCOUNT', retryable: true },
    },
  });
  expect(Date.parse(graphql.publication.nextAttemptAt)).toBeGreaterThan(Date.now());
  const body = { post: { text: 'Changed' } };
  expect((await gateway.v1('PUT', `/posts/${post.id}`, { as, body })).status).toBe(200);
  await api.setSandbox('clock', { advance_seconds: 2 * 3_600 });
  await becomes(post, 'PUBLISHED');
  expect((await gateway.request(`/sandbox/${post.id}`, { caller: { as } })).body).toMatchObject({
    text: 'Changed',
  });
});

test('a post that is too late is failed, and is published now if it is retried', async () => {
  const post = await aDuePost(null, { inMs: -2 * HOUR_MS });
  await becomes(post, 'MISSED');
  const { graphql, v1 } = await api.show(post);
  expect(graphql.publication).toMatchObject({ attempts: 0, error: { code: 'MISSED' } });
  expect([v1.state, await copiesOf(post)]).toEqual(['failed', 0]);
  expect(await retry(post)).toMatchObject({ results: [{ done: true }] });
  await becomes(post, 'PUBLISHED');
  const { scheduled_at: scheduledAt } = (await api.show(post)).v1;
  expect(Date.now() - Date.parse(scheduledAt)).toBeLessThan(HOUR_MS);
});

test('a reminder is not published: its creator is notified, and says where it is', async () => {
  const post = await aDuePost(null, { reminder: true, details: { reminder: true } });
  await waitFor(async () => (await api.notifications()).includes('reminder_due'));
  const { graphql, v1 } = await api.show(post);
  expect([graphql.queued, graphql.publication.status, v1.state]).toEqual([
    true,
    'QUEUED',
    'scheduled',
  ]);
  expect(await copiesOf(post)).toBe(0);
  const url = `https://mastodon.sandbox.example/${post.account!.id}/7`;
  await resolve(post, url);
  expect((await api.show(post)).v1).toMatchObject({ state: 'published_posted', post_link: url });
});

test('each publication of a recycling post is a post of its own, and the next date follows', async () => {
  const post = await aDuePost(null, {
    storedState: 'recycling_active',
    recycling: { gap: 1, gapFreq: 'days' },
  });
  await waitFor(async () => (await api.show(post)).v1.scheduled_at !== v1Time(post.scheduledAt!));
  const next = new Date(post.scheduledAt!.getTime() + DAY_MS);
  expect((await api.show(post)).v1).toMatchObject({
    state: 'recycling_active',
    scheduled_at: v1Time(next),
    post_link: null,
  });
  const source = '{ posts(filter: { exactStates: [PUBLISHED_POSTED] }) { nodes { id } } }';
  const { nodes } = (await gateway.graphql(source, {}, { as })).body.data.posts;
  expect(nodes).toHaveLength(1);
  expect(await api.show(nodes[0])).toMatchObject({
    graphql: { recycledFromId: post.id, publication: { status: 'PUBLISHED', attempts: 1 } },
    v1: { scheduled_at: v1Time(post.scheduledAt!), post_link: expect.any(String) },
  });
});
const v1Time = (time: Date): string => time.toISOString().replace('.000Z', '+00:00');
