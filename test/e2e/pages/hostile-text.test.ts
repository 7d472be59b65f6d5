import type { Browser, Page } from 'playwright-core';
import { openDescribedProxy } from '../../fixtures/described-proxy.js';
import { gatewayWith, type TestGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { openBrowser, watchedPage } from '../browser.js';
import { run, untilReady, untilShown, writeOperation } from '../graphiql.js';

/**
 * Text that would run scripts, send requests or create links if a page interpreted it as HTML or
 * Markdown.
 */
const HOSTILE =
  '<img src=x onerror="document.title=1"><script>document.title=2</script><a href="javascript:document.title=3">x</a> [y](javascript:document.title=4) ![z](https://outside.example/z.png)';

let browser: Browser;
let gateway: TestGateway;
let viewer: KeyedViewer;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), gatewayWith()]);
  viewer = await gateway.records.aViewer({ name: HOSTILE });
  await gateway.records.aPost({
    by: viewer,
    text: HOSTILE,
    storedState: 'draft_undated',
    title: HOSTILE,
  });
});
afterAll(() => Promise.all([browser?.close(), gateway?.close()]));

/** Title of the page, and number of elements that the text would create. */
const effectsOn = (page: Page) =>
  page.evaluate(() => [
    document.title,
    document.querySelectorAll('img[src="x"], a[href^="javascript:"], img[src^="https:"]').length,
  ]);

it('is displayed as text in the playground', async () => {
  const { page, complaints } = await watchedPage(browser, `${gateway.url}/playground`);
  await page.getByText('Enter an API key').waitFor();
  const [title, elements] = await effectsOn(page);
  await page.getByLabel('Key', { exact: true }).fill(viewer.apiKey);
  await page.getByLabel('Workspace').fill(viewer.workspace.id);
  await page.getByRole('button', { name: 'Connect' }).click();
  await untilReady(page);
  expect(await page.locator('.caller').textContent()).toContain(HOSTILE);
  await writeOperation(page, '{ posts { nodes { title text } } }');
  const { data } = await run(page);
  expect(data.posts.nodes).toEqual([{ title: HOSTILE, text: HOSTILE }]);
  await untilShown(page, '"title": "<img src=x onerror=');
  expect(await effectsOn(page)).toEqual([title, elements]);
  expect(complaints).toEqual([]);
});

it('is displayed as text in the API docs', async () => {
  const proxy = await openDescribedProxy(gateway.url);
  const { page, complaints } = await watchedPage(browser, `${proxy.url}/docs`);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.locator('.modal-ux input[type=text]').fill(`Bearer-API ${viewer.apiKey}`);
  await page.locator('.modal-ux button.authorize').click();
  await page.locator('.modal-ux button.btn-done').click();
  const operation = page.locator('#operations-Posts-listPosts');
  await operation.locator('.opblock-summary-control').click();
  await operation.getByPlaceholder('Service-Workspace-Id').fill(viewer.workspace.id);
  const [title, elements] = await effectsOn(page);
  await operation.locator('.execute').click();
  await operation.locator('.live-responses-table').getByText('onerror=').first().waitFor();
  expect(await effectsOn(page)).toEqual([title, elements]);
  expect([complaints, proxy.violations]).toEqual([[], []]);
  await proxy.close();
});

/** A word without an end, a change of direction, and marks that grow beyond their line. */
const DISTORTING = `${'W'.repeat(1_000)} \u202e${'ab '.repeat(20)} ${'Z\u0310\u0321'.repeat(20)}${'\u0310'.repeat(200)}`;
const PHONE_WIDTH = 400;

it('is displayed as text on the page of the sandbox network, within its post', async () => {
  const text = `${HOSTILE} ${DISTORTING}`;
  const account = await gateway.records.anAccount({
    workspaceId: viewer.workspace.id,
    name: HOSTILE,
    sandbox: true,
  });
  const shared = { by: viewer, account, storedState: 'published_posted' } as const;
  await gateway.records.aPost({ ...shared, text, title: text, tags: [text.slice(0, 200)] });
  await gateway.records.aPost({ ...shared, type: 'poll', question: HOSTILE, options: [text, '2'] });
  await gateway.records.aPost({
    ...shared,
    type: 'article',
    content: [{ type: 'paragraph', data: { text } }],
  });
  await gateway.records.aPost({
    ...shared,
    type: 'link',
    url: 'https://outside.example/',
    link: { title: text, description: text },
  });
  const { page, complaints } = await watchedPage(browser, `${gateway.url}/sandbox`, {
    viewport: { width: PHONE_WIDTH, height: 800 },
  });
  await page.getByLabel('Key', { exact: true }).fill(viewer.apiKey);
  await page.getByLabel('Workspace').fill(viewer.workspace.id);
  const [title, elements] = await effectsOn(page);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.locator('.post').first().waitFor();
  expect(await page.locator('.post').count()).toBe(4);
  expect(await page.locator('.timeline bdi').first().textContent()).toBe(HOSTILE);
  expect(await page.locator('.post .text').allTextContents()).toContain(text);
  expect(await effectsOn(page)).toEqual([title, elements]);
  expect(await page.locator('.post a').count()).toBe(1);
  const widths = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    ...[...document.querySelectorAll('.posts')].map(({ scrollWidth, clientWidth }) =>
      Math.max(0, scrollWidth - clientWidth),
    ),
  ]);
  expect(widths).toEqual([PHONE_WIDTH, 0]);
  expect(complaints).toEqual([]);
});
