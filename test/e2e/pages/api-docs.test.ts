import type { Browser } from 'playwright-core';
import { ROUTES } from '../../../src/rest/routes.js';
import { openDescribedProxy } from '../../fixtures/described-proxy.js';
import { openBrowser, watchedPage } from '../browser.js';
import { contrastOf } from '../contrast.js';
import { startDemo, type StartedDemo } from '../started-demo.js';

let browser: Browser;
let gateway: StartedDemo;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), startDemo()]);
});
afterAll(() => Promise.all([browser.close(), gateway.stop()]));

it('shows every route of v1 and calls one with the key of the demo', async () => {
  const proxy = await openDescribedProxy(gateway.url);
  const { page, complaints } = await watchedPage(browser, `${proxy.url}/docs`);
  const operations = page.locator('.opblock');
  await operations.first().waitFor();
  expect(await operations.count()).toBe(ROUTES.length + 1); // and the route of the OpenAPI document

  await page.locator('#operations-Posts-listPosts .opblock-summary-control').click();
  const [response] = await Promise.all([
    page.waitForResponse((candidate) => candidate.url().includes('/v1/posts')),
    page.locator('#operations-Posts-listPosts .execute').click(),
  ]);
  expect(response.status()).toBe(200);
  await page
    .locator('#operations-Posts-listPosts .live-responses-table')
    .getByText('"total_pages"')
    .waitFor();
  expect([complaints, proxy.violations]).toEqual([[], []]);
  await proxy.close();
});

it('tries a creation as a dry run, for an account of the demo and a time to come', async () => {
  const { page, complaints } = await watchedPage(browser, `${gateway.url}/docs`);
  const creation = page.locator('#operations-Posts-schedulePosts');
  await creation.locator('.opblock-summary-control').click();
  const [response] = await Promise.all([
    page.waitForResponse((candidate) => candidate.url().includes('/v1/posts/schedule')),
    creation.locator('.execute').click(),
  ]);
  expect([response.url(), response.status()]).toEqual([
    expect.stringMatching(/dry_run=true$/),
    200,
  ]);
  const { posts, failures } = await response.json();
  expect([posts.length, failures]).toEqual([1, {}]);
  expect(new Date(posts[0].scheduled_at).getTime()).toBeGreaterThan(Date.now());
  expect(complaints).toEqual([]);
});

it('lists response headers once, and creates no webhook of somebody else by a click', async () => {
  const { page } = await watchedPage(browser, `${gateway.url}/docs`);
  const webhook = page.locator('#operations-Webhooks-createWebhook');
  await webhook.locator('.opblock-summary-control').click();
  expect(await page.locator('.info td', { hasText: /^X-Request-Id$/ }).count()).toBe(1);
  expect(await webhook.locator('.headers-wrapper').count()).toBe(0);
  const [response] = await Promise.all([
    page.waitForResponse((candidate) => candidate.request().method() === 'POST'),
    webhook.locator('.execute').click(),
  ]);
  expect(response.status()).toBe(400);
  for (const name of ['Playground', 'Sandbox network'])
    expect(await page.locator('nav').getByText(name).isVisible()).toBe(true);
});

/** WCAG 2, level AA, for text of normal size. */
const MIN_CONTRAST = 4.5;

it.each(['light', 'dark'] as const)('is legible in a %s browser', async (colorScheme) => {
  const { page, complaints } = await watchedPage(browser, `${gateway.url}/docs`, { colorScheme });
  await page.locator('#operations-Posts-listPosts .opblock-summary-control').click();
  await page.locator('#operations-Posts-listPosts .execute').waitFor();
  const isDark = await page.evaluate(() => {
    const { backgroundColor } = getComputedStyle(document.querySelector('.swagger-ui')!);
    return !/rgba\(0, 0, 0, 0\)|rgb\(255, 255, 255\)/.test(backgroundColor);
  });
  expect(isDark).toBe(colorScheme === 'dark');
  const texts = [
    '.info .title',
    '.info .renderedMarkdown p',
    '.opblock-tag',
    '#operations-Posts-listPosts .opblock-summary-path',
    '#operations-Posts-listPosts .opblock-summary-description',
    '#operations-Posts-listPosts .opblock-description p',
    '#operations-Posts-listPosts .parameter__name',
    '#operations-Posts-listPosts .parameters td .renderedMarkdown p',
    '#operations-Posts-listPosts .responses-table .response-col_status',
  ];
  const contrasts = await Promise.all(
    texts.map(async (text) => [text, await contrastOf(page.locator(text).first())] as const),
  );
  expect(contrasts.filter(([, contrast]) => contrast < MIN_CONTRAST)).toEqual([]);
  expect(complaints).toEqual([]);
});
