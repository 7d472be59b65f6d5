import type { Page } from 'playwright-core';

/** GraphiQL's editor of text; the page has it in a global of this name. */
interface Monaco {
  editor: {
    getModels(): { uri: { path: string }; getValue(): string; setValue(text: string): void }[];
  };
}

const textOf = (page: Page, file: string): Promise<string> =>
  page.evaluate((name) => {
    const { __MONACO } = globalThis as unknown as { __MONACO: Monaco };
    return __MONACO.editor
      .getModels()
      .find(({ uri }) => uri.path.endsWith(name))!
      .getValue();
  }, file);

/** Waits until GraphiQL can run something, the schema included. */
export async function untilReady(page: Page): Promise<void> {
  await page.locator('.graphiql-tab').first().waitFor();
  await page.locator('.monaco-editor').nth(2).waitFor();
  await page.getByLabel('Re-fetch GraphQL schema').and(page.locator(':not(:disabled)')).waitFor();
}

export const tabTitles = (page: Page): Promise<string[]> =>
  page.locator('.graphiql-tab-button').allTextContents();

/** Brings a tab to the front. */
export const openTab = (page: Page, title: string): Promise<void> =>
  page.locator('.graphiql-tab-button', { hasText: title }).click();

/** Writes another operation into the tab in front. */
export const writeOperation = (page: Page, text: string): Promise<void> =>
  page.evaluate((value) => {
    const { __MONACO } = globalThis as unknown as { __MONACO: Monaco };
    __MONACO.editor
      .getModels()
      .find(({ uri }) => uri.path.endsWith('operation.graphql'))!
      .setValue(value);
  }, text);

/** Waits until a word stands in the operation of the tab in front. */
export async function untilWritten(page: Page, word: string): Promise<void> {
  while (!new RegExp(`\\b${word}\\b`).test(await textOf(page, 'operation.graphql')))
    await page.waitForTimeout(20);
}

/** Runs the tab in front, and waits until the answer of the gateway is in the editor. */
export async function run(page: Page): Promise<any> {
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/graphql') && response.request().method() === 'POST',
  );
  await page.locator('.graphiql-execute-button').click();
  const answer = (await (await answered).json()) as unknown;
  const expected = JSON.stringify(answer, null, 2);
  while ((await textOf(page, 'response.json')) !== expected) await page.waitForTimeout(20);
  return answer;
}

/** Waits until a text can be read in the answer. Long lines are broken there, and stand in the document in any order. */
export async function untilShown(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const lines = [...document.querySelectorAll<HTMLElement>('.graphiql-response .view-line')];
      const inOrder = lines.sort(
        (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
      );
      return inOrder
        .map((line) => line.innerText)
        .join('')
        .replace(/\s/g, '')
        .includes(wanted);
    },
    text.replace(/\s/g, ''),
  );
}

/** The variables of the tab in front. */
export const variablesOf = async (page: Page): Promise<any> =>
  JSON.parse(await textOf(page, 'variables.json')) as unknown;
