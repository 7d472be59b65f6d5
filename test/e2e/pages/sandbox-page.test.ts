import type { Browser, Locator, Page } from 'playwright-core';
import { DELIVERY_GUARANTEES } from '../../../src/domain/networks/network-definition.js';
import {
  SANDBOX_PUBLISH_FAULTS,
  SANDBOX_REMOVE_FAULTS,
} from '../../../src/domain/networks/sandbox.js';
import { openBrowser, watchedPage } from '../browser.js';
import { contrastOf } from '../contrast.js';
import { run, untilReady, variablesOf } from '../graphiql.js';
import { startDemo, type StartedDemo } from '../started-demo.js';

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

it('sets and clears faults of a post, links to it in the playground, and moves the clock', async () => {
  const { page, complaints } = await watchedPage(browser, `${gateway.url}/sandbox`);
  const post = timelineOf(page, (await mastodonAccount()).id)
    .locator('.post')
    .first();
  const id = (await post.getAttribute('data-post-id'))!;
  expect(await post.locator('time').textContent()).toMatch(/ (UTC|GMT|[A-Z]{3,4})/);
  await post.locator('summary').click();
  await post.getByText('In the gateway: PUBLISHED_POSTED').waitFor();
  const isRejected = post.getByRole('group', { name: 'Next edit' }).getByText('is rejected');
  await isRejected.click();
  await isRejected.and(page.locator('[aria-pressed=true]')).waitFor();
  expect((await send('GET', `/sandbox/${id}/faults`)).fail.code).toBe('NETWORK_REFUSED');
  await post.getByText('Clear all faults').click();
  await isRejected.and(page.locator('[aria-pressed=false]')).waitFor();
  expect((await send('GET', `/sandbox/${id}/faults`)).fail).toBeNull();

  await page.getByRole('button', { name: '+1 minute' }).click();
  await page.getByText('1 min ahead').waitFor();
  await page.getByRole('button', { name: 'Real time' }).click();
  await page.getByText('real time', { exact: true }).waitFor();
  expect((await send('GET', '/sandbox/clock')).advance_seconds).toBe(0);

  await post.getByText('Open in the playground').click();
  await untilReady(page);
  expect(await variablesOf(page)).toEqual({ id });
  expect((await run(page)).data.post.id).toBe(id);
  expect(complaints).toEqual([]);
});

it('offers exactly the faults of the sandbox', async () => {
  const { page } = await watchedPage(browser, `${gateway.url}/sandbox`);
  const post = timelineOf(page, (await mastodonAccount()).id)
    .locator('.post')
    .first();
  await post.locator('summary').click();
  const labels = (group: string): Promise<number> =>
    post.getByRole('group', { name: group }).getByRole('button').count();
  await post.getByRole('group', { name: 'Guarantee' }).waitFor();
  expect([
    await labels('Next publication'),
    await labels('Next removal'),
    await labels('Guarantee'),
  ]).toEqual(
    [SANDBOX_PUBLISH_FAULTS, SANDBOX_REMOVE_FAULTS, DELIVERY_GUARANTEES].map(
      (faults) => Object.keys(faults).length,
    ),
  );
});

it('shows what another key can see, and nothing with a key that is rejected', async () => {
  const { page } = await watchedPage(browser, `${gateway.url}/sandbox`);
  await page.locator('.post').first().waitFor();
  await page.getByLabel('Key', { exact: true }).fill(`${gateway.demo.apiKey}x`);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.locator('.post').count()).toBe(0);
  await page.getByLabel('Key', { exact: true }).fill(gateway.demo.keys.viewer!);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.locator('.post').first().waitFor();
  expect(await page.locator('.caller').textContent()).toMatch(/, viewer,/);
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
