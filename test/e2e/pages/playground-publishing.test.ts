import type { Browser } from 'playwright-core';
import { openBrowser, type WatchedPage } from '../browser.js';
import { openPlayground, openTab, run, variablesOf } from '../graphiql.js';
import { startDemo, type StartedDemo } from '../started-demo.js';

describe('the examples about publishing, on the demo', () => {
  let browser: Browser;
  let gateway: StartedDemo;
  let watched: WatchedPage;
  beforeAll(async () => {
    browser = await openBrowser();
    gateway = await startDemo();
    watched = await openPlayground(browser, gateway.url);
  });
  afterAll(async () => {
    await browser.close();
    await gateway.stop();
  });
  afterEach(() => expect(watched.complaints).toEqual([]));

  it('shows which posts a call would create, on two networks with different texts', async () => {
    await openTab(watched.page, 'CreatePosts');
    const { targets, variants, scheduledAt } = (await variablesOf(watched.page)).input;
    expect(targets).toHaveLength(2);
    expect(variants).toHaveLength(1);
    const { createPosts } = (await run(watched.page)).data;
    expect(createPosts).toEqual({
      results: targets.map(({ accountId }: any, index: number) => ({
        index,
        accountId,
        state: 'SCHEDULED',
        scheduledAt,
        message: null,
      })),
      posts: [],
      userErrors: [],
    });
  });

  it('shows the posts with the most engagement, and how it grew', async () => {
    await openTab(watched.page, 'BestPosts');
    const { totalCount, nodes } = (await run(watched.page)).data.posts;
    const engagements = nodes.map(({ analytics }: any) => analytics.engagement);
    expect(totalCount).toBeGreaterThan(0);
    expect(engagements).toEqual([...engagements].sort((a: number, b: number) => b - a));
    expect(engagements.at(-1)).toBeGreaterThan(0);
  });

  it('shows an approval, a failed publication and its retry', async () => {
    await openTab(watched.page, 'ReviewPosts');
    const { reviewPosts } = (await run(watched.page)).data;
    expect(reviewPosts.results[0]).toMatchObject({
      done: true,
      post: { state: 'SCHEDULED_APPROVED' },
    });
    await openTab(watched.page, 'FailedPosts');
    const [failed] = (await run(watched.page)).data.posts.nodes;
    expect(failed.actions).toContainEqual({ action: 'RETRY', allowed: true, reason: null });
    await openTab(watched.page, 'RetryPosts');
    expect((await run(watched.page)).data.retryPosts).toMatchObject({
      results: [{ id: failed.id, done: true, post: { state: 'SCHEDULED' } }],
      job: null,
    });
  });
});
