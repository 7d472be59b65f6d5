import type { Browser } from 'playwright-core';
import { openBrowser, type WatchedPage } from '../browser.js';
import { openPlayground, openTab, run, untilShown } from '../graphiql.js';
import { startDemo, type StartedDemo } from '../started-demo.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe('the playground on the demo', () => {
  let gateway: StartedDemo;
  let watched: WatchedPage;
  beforeAll(async () => {
    gateway = await startDemo();
    watched = await openPlayground(browser, gateway.url);
  });
  afterAll(() => gateway.stop());
  afterEach(() => expect(watched.complaints).toEqual([]));

  it('shows the webhooks and their messages, of which the demo has none', async () => {
    await openTab(watched.page, 'Webhooks');
    expect((await run(watched.page)).data).toEqual({ webhooks: [] });
  });

  it('shows events as they happen, until it is stopped', async () => {
    const { page } = watched;
    await openTab(page, 'LiveEvents');
    const opened = page.waitForResponse((response) =>
      (response.headers()['content-type'] ?? '').startsWith('text/event-stream'),
    );
    await page.locator('.graphiql-execute-button').click();
    await opened;
    const headers = {
      Authorization: `Bearer-API ${gateway.demo.apiKey}`,
      'Service-Workspace-Id': gateway.demo.workspaceId,
      'Content-Type': 'application/json',
    };
    const list = await fetch(`${gateway.url}/v1/posts?state=draft_undated`, { headers });
    const { posts } = (await list.json()) as { posts: { id: string }[] };
    await fetch(`${gateway.url}/v1/posts/${posts[0]!.id}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ post: { text: 'Seen in the playground' } }),
    });
    await untilShown(page, '"type": "POST_UPDATED"');
    await untilShown(page, '"text": "Seen in the playground"');
    await page.locator('.graphiql-execute-button').click();
  });
});
