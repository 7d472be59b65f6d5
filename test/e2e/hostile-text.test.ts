import type { Browser, Page } from 'playwright-core';
import { describedDoor } from '../fixtures/described-proxy.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { openBrowser, watchedPage } from './browser.js';
import { run, untilReady, untilShown, writeOperation } from './graphiql.js';

jest.setTimeout(60_000);

/** What would run, ask elsewhere or lead away, if a page took it for more than text. */
const HOSTILE =
  '<img src=x onerror="document.title=1"><script>document.title=2</script><a href="javascript:document.title=3">x</a> [y](javascript:document.title=4) ![z](https://outside.example/z.png)';

let browser: Browser;
let gateway: TestGateway;
let viewer: KeyedViewer;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), gatewayWith()]);
  viewer = await gateway.records.aViewer({ name: HOSTILE });
  await gateway.records.aPost({ by: viewer, text: HOSTILE, cell: 'draft_undated', title: HOSTILE });
});
afterAll(() => Promise.all([browser?.close(), gateway?.close()]));

/** The page's title, and what it has of the elements that the text would make. */
const madeOf = (page: Page) =>
  page.evaluate(() => [
    document.title,
    document.querySelectorAll('img[src="x"], a[href^="javascript:"], img[src^="https:"]').length,
  ]);

it('the playground shows as text', async () => {
  const { page, complaints } = await watchedPage(browser, `${gateway.url}/playground`);
  await page.getByText('Type an API key').waitFor();
  const [title, made] = await madeOf(page);
  await page.getByLabel('Key', { exact: true }).fill(viewer.apiKey);
  await page.getByLabel('Workspace').fill(viewer.workspace.id);
  await page.getByRole('button', { name: 'Use' }).click();
  await untilReady(page);
  expect(await page.locator('.caller').textContent()).toContain(HOSTILE);
  await writeOperation(page, '{ posts { nodes { title text } } }');
  const { data } = await run(page);
  expect(data.posts.nodes).toEqual([{ title: HOSTILE, text: HOSTILE }]);
  await untilShown(page, '"title": "<img src=x onerror=');
  expect(await madeOf(page)).toEqual([title, made]);
  expect(complaints).toEqual([]);
});

it('the reference shows as text', async () => {
  const door = await describedDoor(gateway.url);
  const { page, complaints } = await watchedPage(browser, `${door.url}/docs`);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.locator('.modal-ux input[type=text]').fill(`Bearer-API ${viewer.apiKey}`);
  await page.locator('.modal-ux button.authorize').click();
  await page.locator('.modal-ux button.btn-done').click();
  const operation = page.locator('#operations-Posts-listPosts');
  await operation.locator('.opblock-summary-control').click();
  await operation.getByPlaceholder('Service-Workspace-Id').fill(viewer.workspace.id);
  const [title, made] = await madeOf(page);
  await operation.locator('.execute').click();
  await operation.locator('.live-responses-table').getByText('onerror=').first().waitFor();
  expect(await madeOf(page)).toEqual([title, made]);
  expect([complaints, door.departures]).toEqual([[], []]);
  await door.close();
});
