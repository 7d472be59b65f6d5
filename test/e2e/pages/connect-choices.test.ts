import type { Browser, Page } from 'playwright-core';
import { OAUTH_APPS } from '../../../src/domain/connections/oauth-rules.js';
import { appOf, startOauthNetworks } from '../../networks/stand-ins/oauth-networks.js';
import { hostsAt } from '../../networks/stand-ins/official-hosts.js';
import { openBrowser, watchedPage } from '../browser.js';
import { contrastOf } from '../contrast.js';
import { startDemo, type StartedDemo } from '../started-demo.js';

jest.setTimeout(240_000);

let browser: Browser;
let gateway: StartedDemo;
let networks: Awaited<ReturnType<typeof startOauthNetworks>>;
beforeAll(async () => {
  networks = await startOauthNetworks();
  const apps = OAUTH_APPS.flatMap((app) => [
    [`${app}_CLIENT_ID`, appOf(app).clientId],
    [`${app}_CLIENT_SECRET`, appOf(app).clientSecret],
  ]);
  [browser, gateway] = await Promise.all([
    openBrowser(),
    startDemo({
      PUBLISH_POSTS: '0',
      NETWORKS_ALLOW_LOOPBACK: '1',
      RATE_LIMIT_REQUESTS: '10000',
      NETWORK_HOSTS: JSON.stringify(hostsAt(networks.url)),
      ...(Object.fromEntries(apps) as Record<string, string>),
    }),
  ]);
});
afterAll(() => Promise.all([browser?.close(), gateway?.stop(), networks?.close()]));
afterEach(() => expect(networks.violations).toEqual([]));

/** The page of the network answers at once, for a person with three pages. */
async function openPage(address: string, width: number): Promise<Page> {
  const viewport = { width, height: 800 };
  const { page } = await watchedPage(browser, address, { viewport });
  await page.route(`${networks.url}/www.linkedin.com/oauth/**`, async (route) =>
    route.fulfill({
      status: 302,
      headers: { location: await networks.answerPage(route.request().url(), 'allow') },
    }),
  );
  await page.locator('.networks button').first().waitFor();
  return page;
}

const TABS_TO_PASS = 80;
/** Presses Tab until an element with this text or name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let tabs = 0; tabs < TABS_TO_PASS; tabs += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement;
      return element.labels?.[0]?.textContent ?? element.textContent ?? '';
    });
    if (name.test(focused)) return;
  }
  throw new Error(`Tab does not reach ${name.source}.`);
}

/** From the button of the network to the choice of its pages, with the keyboard alone. */
async function goToChoices(page: Page): Promise<void> {
  await tabTo(page, /^LinkedIn$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^What to connect/);
  await page.keyboard.press('ArrowDown');
  await tabTo(page, /^Continue to LinkedIn$/);
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Which accounts do you want to connect?' }).waitFor();
}

/** Elements that a screen reader would announce without a name. */
const namelessIn = async (page: Page): Promise<string[]> =>
  (await page.locator('body').ariaSnapshot())
    .split('\n')
    .filter((line) =>
      /^\s*- (button|checkbox|combobox|dialog|group|link|textbox)(?! ")/.test(line),
    );

/** How far the content is wider than the window, and the lowest height of what can be tapped. */
const layoutOf = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const targets = [...document.querySelectorAll('.choices label, .choices button')];
    const heights = targets.map((target) => target.getBoundingClientRect().height);
    return { overflow: scrollWidth - clientWidth, lowest: Math.min(...heights) };
  });

let people = 700;
/** A person with three pages that are not connected yet. */
function aPerson(): void {
  Object.assign(networks.state, { person: String((people += 10)), accounts: 3 });
}

describe.each([1280, 400])('at a width of %i px', (width) => {
  beforeEach(aPerson);

  it('some of several pages are connected and disconnected with the keyboard', async () => {
    const page = await openPage(`${gateway.url}/connect`, width);
    await goToChoices(page);
    const status = page.getByRole('status');
    await status.getByText('Choose the accounts to connect.').waitFor();

    const boxes = page.getByRole('checkbox');
    expect(await boxes.count()).toBe(3);
    const names = await page.locator('.choices label bdi').allTextContents();
    for (const name of names)
      expect(await page.getByRole('checkbox', { name: `${name} page` }).count()).toBe(1);
    expect(await namelessIn(page)).toEqual([]);
    const layout = await layoutOf(page);
    expect(layout.overflow).toBeLessThanOrEqual(0);
    expect(layout.lowest).toBeGreaterThanOrEqual(44);
    expect(await contrastOf(page.locator('.choices small').first())).toBeGreaterThanOrEqual(4.5);

    const submit = page.locator('.choices button');
    expect([await submit.textContent(), await submit.isDisabled()]).toEqual([
      'Connect 0 accounts',
      true,
    ]);
    await boxes.first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(
      await boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked)),
    ).toEqual([true, false, true]);
    await page.keyboard.press('Tab');
    expect(await submit.textContent()).toBe('Connect 2 accounts');
    await page.keyboard.press('Enter');
    await status.getByText(`Connected ${names[0]} and ${names[2]}.`).waitFor();
    expect(await page.locator('.choices').count()).toBe(0);

    const accountOf = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await accountOf(names[2]!).getByText('Connected', { exact: true }).waitFor();
    expect(await accountOf(names[1]!).count()).toBe(0);
    const account = page.getByRole('group', { name: names[0]! });
    await account.getByRole('button', { name: 'Disconnect', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Disconnect ${names[0]}?` });
    await dialog.getByRole('button', { name: 'Disconnect' }).focus();
    await page.keyboard.press('Enter');
    await status.getByText(`Disconnected ${names[0]}.`).waitFor();
    await accountOf(names[0]!).getByText('Not connected', { exact: true }).waitFor();

    // Once more: what was connected before is said and chosen.
    await page.reload();
    await page.locator('.networks button').first().waitFor();
    await goToChoices(page);
    for (const [index, isBefore] of [true, false, true].entries())
      expect(
        await page
          .getByRole('checkbox', {
            name: `${names[index]} page${isBefore ? ', connected before' : ''}`,
          })
          .isChecked(),
      ).toBe(isBefore);
    await page.context().close();
  });

  it('a person with a link chooses with the keyboard', async () => {
    const owner = await openPage(`${gateway.url}/connect`, width);
    const links = owner.getByRole('region', { name: 'Links for the owners of accounts' });
    await links.getByLabel('Network').selectOption('LINKEDIN');
    await links.getByRole('button', { name: 'Create link' }).click();
    const address = (await links.locator('.done code').textContent())!;
    await owner.context().close();

    const page = await openPage(address, width);
    await goToChoices(page);
    expect(await namelessIn(page)).toEqual([]);
    const layout = await layoutOf(page);
    expect(layout.overflow).toBeLessThanOrEqual(0);
    expect(layout.lowest).toBeGreaterThanOrEqual(44);
    const [name] = await page.locator('.choices label bdi').allTextContents();
    await page.getByRole('checkbox').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText(`Connected ${name}.`).waitFor();
    expect(new URL(page.url()).pathname).toBe('/connect/link');
    await page.context().close();
  });
});
