import type { Browser } from 'playwright-core';
import { gatewayWith, type TestGateway } from '../../fixtures/gateway.js';
import { openBrowser, watchedPage, type WatchedPage } from '../browser.js';
import {
  EXAMPLES,
  openPlayground,
  openTab,
  run,
  tabTitles,
  untilReady,
  untilShown,
  untilStored,
  untilWritten,
  variablesOf,
  writeOperation,
} from '../graphiql.js';
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

  it('opens with the demo’s key, its workspace and a tab for each example', async () => {
    const { page } = watched;
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe(gateway.demo.apiKey);
    expect(await page.getByLabel('Workspace').inputValue()).toBe(gateway.demo.workspaceId);
    expect(await page.locator('.caller').textContent()).toBe(
      'Johanna Petersen, owner, Nordlicht Kaffeerösterei',
    );
    expect(await tabTitles(page)).toEqual(EXAMPLES);
  });

  it('lists posts that match the filter', async () => {
    const { errors, data } = await run(watched.page);
    expect(errors).toBeUndefined();
    const { totalCount, nodes } = data.posts;
    expect(totalCount).toBeGreaterThan(50);
    expect(nodes).toHaveLength(5);
    for (const { state, type } of nodes)
      expect([state, type].join()).toMatch(/^(PUBLISHED|SCHEDULED)\w*,(STATUS|PHOTO|VIDEO)$/);
    await untilShown(watched.page, `"totalCount": ${totalCount}`);
  });

  it('shows editability and deletability of a post', async () => {
    await openTab(watched.page, 'PostRights');
    const { post } = (await run(watched.page)).data;
    expect(post.state).toBe('PUBLISHED_POSTED');
    expect(
      Object.fromEntries(post.editability.map(({ field, allowed }: any) => [field, allowed])),
    ).toMatchObject({ labels: true, text: true, title: false });
    expect(post.deletability).toEqual({ allowed: true, code: null, reason: null });
  });

  it.each([
    ['UpdatePost', 'updatePost'],
    ['CreatePosts', 'createPosts'],
    ['ReviewPosts', 'reviewPosts'],
    ['DeletePosts', 'deletePosts'],
  ] as const)('runs %s as a dry run repeatedly, and changes nothing', async (tab, field) => {
    await openTab(watched.page, tab);
    const results = [await run(watched.page), await run(watched.page)];
    // A job can finish between the two requests.
    const [first, second] = results.map(({ data }) =>
      JSON.stringify(data[field], (name, value: unknown) =>
        name === 'networkSync' ? undefined : value,
      ),
    );
    expect(second).toBe(first);
  });

  it('shows the updated post of a dry run, and each result of a bulk delete', async () => {
    await openTab(watched.page, 'UpdatePost');
    const { updatePost } = (await run(watched.page)).data;
    expect(updatePost).toMatchObject({
      post: { text: 'Edited in the playground.', labels: [{ name: 'Playground' }] },
      job: null,
    });
    await openTab(watched.page, 'DeletePosts');
    const { ids } = (await variablesOf(watched.page)).input;
    const { deletePosts } = (await run(watched.page)).data;
    expect(deletePosts.deletedIds).toEqual(ids.slice(0, 2));
    expect(deletePosts.results.map(({ id, code }: any) => [id, code])).toEqual(
      ids.map((id: string, n: number) => [id, [null, null, 'RULE_VIOLATION', 'POST_NOT_FOUND'][n]]),
    );
  });

  it('shows a job and the rules of the networks', async () => {
    await openTab(watched.page, 'JobStatus');
    expect((await run(watched.page)).data.jobStatus).toMatchObject({
      kind: 'NETWORK_EDIT',
      post: { id: expect.any(String) },
    });
    await openTab(watched.page, 'RuleTables');
    expect((await run(watched.page)).data.networks).toHaveLength(13);
  });

  it.each([
    ['an unknown post', '{ post(id: "ffffffffffffffffffffffff") { id } }', 'No post has this ID.'],
    [
      'an unknown field',
      '{ posts { nodes { colour } } }',
      'Cannot query field "colour" on type "Post".',
    ],
    ['half a query', '{ posts(', 'Syntax Error: Expected Name, found <EOF>.'],
  ])('displays the error message for %s', async (_what, operation, message) => {
    await writeOperation(watched.page, operation);
    expect((await run(watched.page)).errors[0].message).toBe(message);
    await untilShown(watched.page, `"message": ${JSON.stringify(message)}`);
  });

  it('shows the documentation of fields, and builds a query by clicks', async () => {
    const { page } = watched;
    await page.getByLabel('Show Documentation Explorer').click();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await page
      .locator('.graphiql-doc-explorer-content')
      .getByText('Posts of the workspace, by default ordered by scheduled time')
      .waitFor();
    await page.getByLabel('Show GraphiQL Explorer').click();
    const explorer = page.locator('.graphiql-explorer-root');
    await explorer.getByText('viewer', { exact: true }).click();
    await explorer.getByText('plan', { exact: true }).click();
    await untilWritten(page, 'plan');
    expect((await run(page)).data).toEqual({ viewer: { plan: 'BUSINESS' } });
  });

  it('keeps the entered text while the tab is open, and discards it on reset', async () => {
    const { page } = watched;
    await writeOperation(page, '{ posts(');
    await untilStored(page, '{ posts(');
    await page.reload();
    await untilReady(page);
    expect(await tabTitles(page)).toEqual([...EXAMPLES.slice(0, -1), '<untitled>']);
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.locator('.graphiql-tab-button', { hasText: 'RuleTables' }).waitFor();
    await untilReady(page);
    expect(await tabTitles(page)).toEqual(EXAMPLES);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  it('reports an empty operation and an unreachable gateway', async () => {
    const { page, complaints } = watched;
    await page.getByRole('button', { name: 'New tab' }).click();
    await writeOperation(page, ' ');
    await page.locator('.graphiql-execute-button').click();
    await untilShown(page, 'Write an operation first');
    await page.context().setOffline(true);
    await writeOperation(page, '{ viewer { plan } }');
    await page.locator('.graphiql-execute-button').click();
    await untilShown(page, 'Could not reach the gateway');
    await page.context().setOffline(false);
    // logged by the browser itself
    expect(complaints.splice(0)).toEqual([expect.stringMatching(/ERR_INTERNET_DISCONNECTED/)]);
  });

  it('is also served at /graphql', async () => {
    const other = await watchedPage(browser, `${gateway.url}/graphql`);
    await untilReady(other.page);
    expect(await tabTitles(other.page)).toEqual(EXAMPLES);
    expect(other.complaints).toEqual([]);
  });
});

describe('the playground without a demo', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await gatewayWith();
  });
  afterAll(() => gateway.close());

  it('requires a key, shows why a key is rejected, and keeps a key in the tab only', async () => {
    const { page, complaints } = await watchedPage(browser, `${gateway.url}/playground`);
    await page.getByText('Enter an API key').waitFor();
    expect([
      await page.getByLabel('Key', { exact: true }).inputValue(),
      await page.getByLabel('Workspace').inputValue(),
    ]).toEqual(['', '']);

    await page.getByLabel('Key', { exact: true }).fill(gateway.owner.apiKey.replace(/.$/, '_'));
    await page.getByRole('button', { name: 'Connect' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(
      /^The key is missing, malformed, unknown, revoked or expired/,
    );
    // logged by the browser itself
    expect(complaints.splice(0)).toEqual([expect.stringMatching(/401/)]);

    await page.getByLabel('Key', { exact: true }).fill('spk_ключ');
    await page.getByRole('button', { name: 'Connect' }).click();
    expect(
      await page
        .getByLabel('Key', { exact: true })
        .evaluate((input: HTMLInputElement) => input.validity.patternMismatch),
    ).toBe(true);

    await page.getByLabel('Key', { exact: true }).fill(gateway.owner.apiKey);
    await page.getByLabel('Workspace').fill(gateway.owner.workspace.id);
    await page.getByRole('button', { name: 'Connect' }).click();
    await untilReady(page);
    expect(await page.locator('.caller').textContent()).toMatch(/^Olga, owner, /);
    expect((await run(page)).data.posts.totalCount).toBe(0);

    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    await page.reload();
    await untilReady(page);
    const another = await page.context().newPage();
    await another.goto(`${gateway.url}/playground`);
    await another.getByText('Enter an API key').waitFor();
    expect(complaints).toEqual([]);
  });
});
