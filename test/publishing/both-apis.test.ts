import type { Post } from '../../src/domain/posts/post.js';
import { withGateway } from '../fixtures/gateway.js';
import { expectSeries, scrapeMetrics, seriesOf } from '../fixtures/metric-series.js';
import { waitFor } from '../fixtures/wait-for.js';

const gateway = withGateway({ metricsPort: 0 });
beforeAll(async () => {
  gateway.startWorker();
});
const PUBLICATION = `query ($id: ID!) {
  post(id: $id) {
    state queued postLink
    publication { status url publishedAt attempts nextAttemptAt error { code message source retryable field } }
  }
}`;
const viaGraphql = async ({ id }: Post) =>
  (await gateway.graphql(PUBLICATION, { id })).body.data.post;
const viaV1 = async ({ id }: Post) => (await gateway.v1('GET', `/posts/${id}`)).body;

const SECOND_MS = 1_000;
const started = Date.now();
/** A time some days from the start of the tests. */
const day = (offset: number): string => new Date(started + offset * 86_400_000).toISOString();
async function aScheduledPost(inSeconds: number, text: string): Promise<Post> {
  const { records, owner } = gateway;
  const account = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
  const time = Math.ceil(Date.now() / SECOND_MS) + inSeconds;
  return records.aPost({ by: owner, account, text, scheduledAt: new Date(time * SECOND_MS) });
}

test('a scheduled post becomes due, is published on the sandbox network, and both APIs show it', async () => {
  const post = await aScheduledPost(2, 'On time');
  expect(await viaGraphql(post)).toMatchObject({
    state: 'SCHEDULED',
    publication: { status: 'WAITING', nextAttemptAt: post.scheduledAt!.toISOString() },
  });

  await waitFor(async () => (await viaGraphql(post)).state !== 'SCHEDULED');
  const shown = await viaGraphql(post);
  expect(shown).toMatchObject({
    state: 'PUBLISHED_POSTED',
    queued: false,
    publication: { status: 'PUBLISHED', url: shown.postLink, attempts: 1, error: null },
  });
  expect(Date.parse(shown.publication.publishedAt)).toBeGreaterThanOrEqual(
    post.scheduledAt!.getTime(),
  );
  expect(await viaV1(post)).toMatchObject({ state: 'published_posted', post_link: shown.postLink });
  expect((await gateway.request(`/sandbox/${post.id}`)).body).toMatchObject({ text: 'On time' });
});

test('a post that its network rejects is failed in both APIs, and its creator is told why', async () => {
  const post = await aScheduledPost(2, 'Rejected');
  const faults = await gateway.request(`/sandbox/${post.id}/faults`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ publish: { fault: 'refuse' } }),
  });
  expect(faults.body).toMatchObject({ publish: { fault: 'refuse', times: 1 } });

  await waitFor(async () => (await viaGraphql(post)).state !== 'SCHEDULED');
  expect(await viaGraphql(post)).toEqual({
    state: 'FAILED',
    queued: false,
    postLink: null,
    publication: {
      status: 'FAILED',
      url: null,
      publishedAt: null,
      attempts: 1,
      nextAttemptAt: null,
      error: {
        code: 'NETWORK_REFUSED',
        message: 'Sandbox network: the post was rejected.',
        source: 'USER',
        retryable: false,
        field: null,
      },
    },
  });
  expect(await viaV1(post)).toMatchObject({ state: 'failed', post_link: null });
  const { body } = await gateway.graphql(
    '{ viewer { notifications(first: 5) { nodes { kind message } } } }',
  );
  expect(body.data.viewer.notifications.nodes).toEqual([
    {
      kind: 'publication_failed',
      message: 'Your post was not published: Sandbox network: the post was rejected.',
    },
  ]);
});

test('the metrics of a published post are read as it gets older, and can be read over time and summed by day', async () => {
  const post = await aScheduledPost(1, 'Counted');
  const read = async () => {
    const range = `from: "${day(-1)}", to: "${day(1)}"`;
    const { body } = await gateway.graphql(
      `query ($id: ID!) { post(id: $id) {
        state analytics { likes reach } analyticsHistory(first: 2) { likes reach }
        account { analytics(${range}) { posts likes reach videoViews } }
      } }`,
      { id: post.id },
    );
    return body.data.post;
  };
  await waitFor(async () => (await read()).state !== 'SCHEDULED');
  expect(await read()).toMatchObject({
    analytics: null,
    analyticsHistory: [],
    account: { analytics: [{ posts: 1, likes: null }] },
  });
  const clock = await gateway.request('/sandbox/clock', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ advance_seconds: 2 * 86_400 }),
  });
  expect(clock.status).toBe(200);
  await waitFor(async () => (await read()).analytics !== null);
  const { analytics, analyticsHistory, account } = await read();
  expect(analytics.reach).toBeGreaterThan(0);
  expect({ analyticsHistory, days: account.analytics }).toEqual({
    analyticsHistory: [analytics],
    days: [{ posts: 1, ...analytics, videoViews: null }],
  });
  expect(await viaV1(post)).not.toHaveProperty('analytics');
  for (const [field, path] of [
    ['analyticsHistory(first: 101) { likes }', ['first']],
    [`account { analytics(from: "${day(0)}", to: "${day(367)}") { posts } }`, ['to']],
    [`account { analytics(from: "${day(0)}", to: "${day(0)}") { posts } }`, ['to']],
  ] as const) {
    const { body } = await gateway.graphql(`{ post(id: "${post.id}") { ${field} } }`);
    expect(body.errors[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: [expect.objectContaining({ path })],
    });
  }
});

test('metrics count what became of publications, and how late they were', async () => {
  const scrape = await scrapeMetrics(gateway.metricsUrl);
  const counted = Object.entries(seriesOf(scrape, 'posts_gateway_publication_attempts_total'));
  expect(Object.fromEntries(counted.filter(([, count]) => count > 0))).toEqual({
    '{network="mastodon",outcome="published"}': 2,
    '{network="mastodon",outcome="failed"}': 1,
  });
  await expectSeries(gateway.metricsUrl, 'posts_gateway_publication_lateness_seconds_count', {
    '': 2,
  });
});
