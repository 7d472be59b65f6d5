import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser, watchedPage } from '../browser.js';
import { contrastOf } from '../contrast.js';
import { startDemo, type StartedDemo } from '../started-demo.js';

jest.setTimeout(120_000);

let browser: Browser;
let gateway: StartedDemo;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([
    openBrowser(),
    startDemo({ RATE_LIMIT_REQUESTS: '10000' }),
  ]);
});
afterAll(() => Promise.all([browser?.close(), gateway?.stop()]));

async function send(method: string, path: string, body?: unknown): Promise<any> {
  const { apiKey, workspaceId } = gateway.demo;
  const response = await fetch(gateway.url + path, {
    method,
    headers: {
      Authorization: `Bearer-API ${apiKey}`,
      'Service-Workspace-Id': workspaceId,
      'Content-Type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json();
}

const timelineOf = (page: Page, accountId: string): Locator =>
  page.locator(`[data-account-id="${accountId}"]`);

async function mastodonAccount(): Promise<{ id: string; name: string }> {
  const { accounts } = await send('GET', '/v1/accounts');
  return accounts.find(({ provider }: { provider: string }) => provider === 'mastodon');
}

it('shows posts as they are published, edited and removed', async () => {
  const { page, complaints } = await watchedPage(browser, `${gateway.url}/sandbox`);
  const account = await mastodonAccount();
  const timeline = timelineOf(page, account.id);
  await timeline.locator('.post').first().waitFor();
  expect(await timeline.locator('h2').textContent()).toBe(`Mastodon ${account.name}`);

  const entry = {
    networks: { default: { type: 'status', text: 'Open at six tomorrow.' } },
    accounts: [{ id: account.id }],
  };
  const { job_id: jobId } = await send('POST', '/v1/posts/schedule/publish', {
    bulk: { state: 'scheduled', posts: [entry] },
  });
  const post = timeline.locator('.post', { hasText: 'Open at six tomorrow.' });
  await post.waitFor();
  expect(await post.locator('.edited').count()).toBe(0);

  const { payload } = await send('GET', `/v1/job_status/${jobId}`);
  const { id } = payload.posts[0];
  expect(await post.getAttribute('data-post-id')).toBe(id);
  await send('PUT', `/v1/posts/${id}`, { post: { text: 'Open at seven tomorrow.' } });
  const edited = timeline.locator('.post', { hasText: 'Open at seven tomorrow.' });
  await edited.locator('.edited').waitFor();
  expect(await post.count()).toBe(0);

  await send('DELETE', `/sandbox/${id}`);
  await edited.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

it('shows one account, if the reader chooses one', async () => {
  const { page } = await watchedPage(browser, `${gateway.url}/sandbox`);
  const account = await mastodonAccount();
  await timelineOf(page, account.id).waitFor();
  expect(await page.locator('.timeline').count()).toBeGreaterThan(10);
  await page.getByLabel('Account').selectOption(account.id);
  expect(await page.locator('.timeline').count()).toBe(1);
  await timelineOf(page, account.id).waitFor();
});

/** WCAG 2, level AA, for text of normal size. */
const MIN_CONTRAST = 4.5;

it.each(['light', 'dark'] as const)('is legible in a %s browser', async (colorScheme) => {
  const options = { colorScheme, reducedMotion: 'reduce' } as const;
  const { page, complaints } = await watchedPage(browser, `${gateway.url}/sandbox`, options);
  await page.locator('.post .edited, .post .link, .post .media').first().waitFor();
  const texts = ['h1', 'h2', '.network', '.post .text', '.post .link a', '.post .media a', 'time'];
  const contrasts = await Promise.all(
    texts.map(async (text) => [text, await contrastOf(page.locator(text).first())] as const),
  );
  expect(contrasts.filter(([, contrast]) => contrast < MIN_CONTRAST)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('fits on a phone', async () => {
  const viewport = { width: 400, height: 800 };
  const { page } = await watchedPage(browser, `${gateway.url}/sandbox`, { viewport });
  await page.locator('.post').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
});

it('goes on when the gateway answers again, and says meanwhile that it does not', async () => {
  const { page } = await watchedPage(browser, `${gateway.url}/sandbox`);
  await page.locator('.post').first().waitFor();
  await page.route('**/sandbox/posts', (route) => route.abort());
  await page.getByRole('alert').getByText('The gateway does not respond').waitFor();
  expect(await page.locator('.post').count()).toBeGreaterThan(0);
  await page.unroute('**/sandbox/posts');
  await page.getByRole('alert').waitFor({ state: 'detached' });
});
