import type { Browser } from 'playwright-core';
import { ROUTES } from '../../src/rest/v1.js';
import { describedDoor } from '../fixtures/described-proxy.js';
import { openBrowser, watchedPage } from './browser.js';
import { startDemo, type StartedDemo } from './started-demo.js';

jest.setTimeout(60_000);

let browser: Browser;
let gateway: StartedDemo;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), startDemo()]);
});
afterAll(() => Promise.all([browser.close(), gateway.stop()]));

it('shows every route of v1 and tries one with the demo’s key', async () => {
  const door = await describedDoor(gateway.url);
  const { page, complaints } = await watchedPage(browser, `${door.url}/docs`);
  const operations = page.locator('.opblock');
  await operations.first().waitFor();
  expect(await operations.count()).toBe(ROUTES.length + 1); // and that of the reference itself

  await page.locator('#operations-Posts-listPosts .opblock-summary-control').click();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/v1/posts')),
    page.locator('#operations-Posts-listPosts .execute').click(),
  ]);
  expect(answer.status()).toBe(200);
  await page
    .locator('#operations-Posts-listPosts .live-responses-table')
    .getByText('"total_pages"')
    .waitFor();
  expect([complaints, door.departures]).toEqual([[], []]);
  await door.close();
});
