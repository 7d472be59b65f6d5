import type { Browser } from 'playwright-core';
import { ROUTES } from '../../src/rest/routes.js';
import { openDescribedProxy } from '../fixtures/described-proxy.js';
import { openBrowser, watchedPage } from './browser.js';
import { startDemo, type StartedDemo } from './started-demo.js';

jest.setTimeout(60_000);

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
