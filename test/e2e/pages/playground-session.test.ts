import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { gatewayWith } from '../../fixtures/gateway.js';
import { openBrowser, watchedPage, type WatchedPage } from '../browser.js';
import {
  EXAMPLES,
  openPlayground,
  openTab,
  operationOf,
  run,
  tabTitles,
  untilReady,
  untilShown,
  untilStored,
  variablesOf,
  writeOperation,
} from '../graphiql.js';
import { startDemo, type StartedDemo } from '../started-demo.js';

let browser: Browser;
let gateway: StartedDemo;
let watched: WatchedPage;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), startDemo()]);
  watched = await openPlayground(browser, gateway.url);
});
afterAll(() => Promise.all([browser.close(), gateway.stop()]));
afterEach(() => expect(watched.complaints.splice(0)).toEqual([]));

it('restores an edited tab with its variables when it is reloaded', async () => {
  const { page } = watched;
  await openTab(page, 'ListPosts');
  const operation = (await operationOf(page)).replace('ListPosts', 'EditedPosts');
  await writeOperation(page, operation);
  await untilStored(page, operation);
  const titles = ['EditedPosts', ...EXAMPLES.slice(1)];
  const [variables, before] = [await variablesOf(page), await run(page)];
  expect(variables.filter.states).toEqual(['PUBLISHED', 'SCHEDULED']);
  for (let reload = 0; reload < 2; reload++) {
    await page.reload();
    await untilReady(page);
    expect(await tabTitles(page)).toEqual(titles);
    expect(await operationOf(page)).toBe(operation);
    expect(await variablesOf(page)).toEqual(variables);
    expect((await run(page)).data).toEqual(before.data);
  }
});

it('keeps the tabs if another key is rejected, and goes on with the accepted one', async () => {
  const { page, complaints } = watched;
  const key = page.getByLabel('Key', { exact: true });
  const titles = await tabTitles(page);
  await key.fill(gateway.demo.apiKey.replace(/.$/, '_'));
  await page.getByRole('button', { name: 'Connect' }).click();
  expect(await page.locator('.error').textContent()).toMatch(/^The key is missing, malformed/);
  expect(complaints.splice(0)).toEqual([expect.stringMatching(/401/)]); // by the browser itself
  expect(await tabTitles(page)).toEqual(titles);
  expect((await run(page)).errors).toBeUndefined();
  await page.reload();
  await untilReady(page);
  expect([await key.inputValue(), await tabTitles(page)]).toEqual([gateway.demo.apiKey, titles]);
});

it('offers the workspaces of the user, and opens untouched examples with posts of the chosen one', async () => {
  const { page } = watched;
  await page.getByRole('button', { name: 'Reset' }).click();
  await untilReady(page);
  const workspace = page.getByLabel('Workspace');
  expect(await workspace.locator('option').allTextContents()).toContain('Nordlicht Kaffeerösterei');
  await workspace.selectOption(gateway.demo.otherWorkspaceId);
  await page.locator('.caller', { hasText: 'Lindenhof Bageri' }).waitFor();
  await untilReady(page);
  await openTab(page, 'PostRights');
  expect((await run(page)).data.post.id).toBe((await variablesOf(page)).id);
  await workspace.selectOption(gateway.demo.workspaceId);
  await page.locator('.caller', { hasText: 'Nordlicht Kaffeerösterei' }).waitFor();
  await untilReady(page);
});

it('shows the scopes of the key, and the headers of a response', async () => {
  const { page } = watched;
  expect(await page.locator('.scopes').textContent()).toMatch(/^Scopes: [A-Z_]+(, [A-Z_]+)*$/);
  const { extensions } = await run(page);
  await page.getByText('Response headers (200)').click();
  const headers = page.locator('.response-panel pre');
  expect(await headers.innerText()).toContain(
    `x-ratelimit-remaining: ${extensions.rateLimit.remaining}`,
  );
  expect(await headers.innerText()).toContain('x-api-version: v1');
  await page.getByText('Response headers (200)').click();
});

it.each([
  ['curl', 'sh', '-euc'],
  ['fetch', process.execPath, '--input-type=module', '-e'],
] as const)(
  'copies the request as %s, which gets the same response',
  async (format, program, ...options) => {
    const { page } = watched;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openTab(page, 'UpdatePost');
    await writeOperation(page, `# It's ${format}\n${await operationOf(page)}`);
    await untilStored(page, `# It's ${format}`);
    const { data } = await run(page);
    await page.getByRole('button', { name: `Copy as ${format}` }).click();
    await page.getByText(`Copied as ${format}`).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const asJson = copied.replace(
      'console.log(await response.json())',
      'console.log(await response.text())',
    );
    const { stdout } = await promisify(execFile)(program, [...options, asJson]);
    expect((JSON.parse(stdout) as { data: unknown }).data).toEqual(data);
  },
);

it('can be used on a phone', async () => {
  const { page, complaints } = await openPlayground(browser, gateway.url, {
    viewport: { width: 400, height: 800 },
  });
  const widthOf = async (selector: string): Promise<number> =>
    (await page.locator(selector).first().boundingBox())!.width;
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  for (const editor of ['.graphiql-editors', '.graphiql-response', '.graphiql-editor-tool'])
    expect(await widthOf(editor)).toBeGreaterThan(300);
  for (const field of ['.key-bar input', '.key-bar select'])
    expect(await widthOf(field)).toBeGreaterThan(200);
  const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
  const [operation, toolbar] = [
    await boxOf('.graphiql-query-editor .graphiql-editor'),
    await boxOf('.graphiql-toolbar'),
  ];
  expect(toolbar.y + toolbar.height).toBeLessThanOrEqual(operation.y);
  for (const tab of await page.locator('.graphiql-tab').all())
    expect((await tab.boundingBox())!.x + (await tab.boundingBox())!.width).toBeLessThan(400);
  const { data } = await run(page);
  await untilShown(page, `"totalCount": ${data.posts.totalCount}`);
  expect((await boxOf('.graphiql-response')).y).toBeLessThan(400);
  await page.getByLabel('Show Documentation Explorer').click();
  expect(await widthOf('.graphiql-plugin')).toBeGreaterThan(300);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  expect(complaints).toEqual([]);
});

it('offers the workspaces of a key for which no workspace is entered', async () => {
  const other = await gatewayWith();
  const { page } = await watchedPage(browser, `${other.url}/playground`);
  await page.getByLabel('Key', { exact: true }).fill(other.owner.apiKey);
  await page.getByRole('button', { name: 'Connect' }).click();
  await untilReady(page);
  expect(await page.getByLabel('Workspace').inputValue()).toBe(other.owner.workspace.id);
  expect((await run(page)).data.posts.totalCount).toBe(0);
  await page.context().close();
  await other.close();
});
