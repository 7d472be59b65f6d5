import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { watchedPage, type WatchedPage } from './browser.js';

/** The text editor of GraphiQL, in a global of the page. */
interface Monaco {
  editor: {
    getModels(): { uri: { path: string }; getValue(): string; setValue(text: string): void }[];
  };
}

/** Titles of the tabs that the playground opens. */
export const EXAMPLES = [
  'ListPosts',
  'BestPosts',
  'PostRights',
  'UpdatePost',
  'CreatePosts',
  'ReviewPosts',
  'FailedPosts',
  'RetryPosts',
  'DeletePosts',
  'JobStatus',
  'LiveEvents',
  'Webhooks',
  'RuleTables',
];

const textOf = (page: Page, file: string): Promise<string> =>
  page.evaluate((name) => {
    const { __MONACO } = globalThis as unknown as { __MONACO: Monaco };
    return __MONACO.editor
      .getModels()
      .find(({ uri }) => uri.path.endsWith(name))!
      .getValue();
  }, file);

/** Waits until GraphiQL has loaded, including the schema. */
export async function untilReady(page: Page): Promise<void> {
  await page.locator('.graphiql-tab').first().waitFor();
  await page.locator('.monaco-editor').nth(2).waitFor();
  await page.getByLabel('Re-fetch GraphQL schema').and(page.locator(':not(:disabled)')).waitFor();
}

/** Opens the playground of a gateway that has demo data, and waits until it is ready. */
export async function openPlayground(
  browser: Browser,
  gatewayUrl: string,
  options?: BrowserContextOptions,
): Promise<WatchedPage> {
  const watched = await watchedPage(browser, `${gatewayUrl}/playground`, options);
  await untilReady(watched.page);
  return watched;
}

export const tabTitles = (page: Page): Promise<string[]> =>
  page.locator('.graphiql-tab-button').allTextContents();

/** Activates a tab. */
export const openTab = (page: Page, title: string): Promise<void> =>
  page.locator('.graphiql-tab-button', { hasText: title }).click();

const write = (page: Page, file: string, text: string): Promise<void> =>
  page.evaluate(
    ([name, value]) => {
      const { __MONACO } = globalThis as unknown as { __MONACO: Monaco };
      __MONACO.editor
        .getModels()
        .find(({ uri }) => uri.path.endsWith(name!))!
        .setValue(value!);
    },
    [file, text],
  );

/** Replaces the operation in the active tab. */
export const writeOperation = (page: Page, text: string): Promise<void> =>
  write(page, 'operation.graphql', text);

/** The operation in the active tab. */
export const operationOf = (page: Page): Promise<string> => textOf(page, 'operation.graphql');

/** Waits until the tabs that a reload restores contain a text. GraphiQL stores them with a delay. */
export const untilStored = async (page: Page, text: string): Promise<void> => {
  await page.waitForFunction(
    (part) => sessionStorage.getItem('graphiql:tabState')?.includes(part),
    JSON.stringify(text).slice(1, -1),
  );
};

/** Waits until the operation in the active tab contains a word. */
export async function untilWritten(page: Page, word: string): Promise<void> {
  while (!new RegExp(`\\b${word}\\b`).test(await textOf(page, 'operation.graphql')))
    await page.waitForTimeout(20);
}

/** Runs the active tab and waits until the response is displayed. */
export async function run(page: Page): Promise<any> {
  const responded = page.waitForResponse(
    (response) => response.url().endsWith('/graphql') && response.request().method() === 'POST',
  );
  await page.locator('.graphiql-execute-button').click();
  const result = (await (await responded).json()) as unknown;
  const expected = JSON.stringify(result, null, 2);
  while ((await textOf(page, 'response.json')) !== expected) await page.waitForTimeout(20);
  return result;
}

/**
 * Waits until the response contains a text. Long lines are wrapped, and lines are in any order in
 * the DOM.
 */
export async function untilShown(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (expected) => {
      const lines = [...document.querySelectorAll<HTMLElement>('.graphiql-response .view-line')];
      const inOrder = lines.sort(
        (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
      );
      return inOrder
        .map((line) => line.innerText)
        .join('')
        .replace(/\s/g, '')
        .includes(expected);
    },
    text.replace(/\s/g, ''),
  );
}

/** Variables in the active tab. */
export const variablesOf = async (page: Page): Promise<any> =>
  JSON.parse(await textOf(page, 'variables.json')) as unknown;
