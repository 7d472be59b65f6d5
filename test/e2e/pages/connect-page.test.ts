import type { Browser, Page } from 'playwright-core';
import { startOauthInstance } from '../../networks/stand-ins/mastodon-oauth.js';
import { openBrowser, watchedPage } from '../browser.js';
import { contrastOf } from '../contrast.js';
import { startDemo, type StartedDemo } from '../started-demo.js';

let browser: Browser;
let gateway: StartedDemo;
let instance: Awaited<ReturnType<typeof startOauthInstance>>;
beforeAll(async () => {
  [browser, gateway, instance] = await Promise.all([
    openBrowser(),
    startDemo({ PUBLISH_POSTS: '0', NETWORKS_ALLOW_LOOPBACK: '1', RATE_LIMIT_REQUESTS: '10000' }),
    startOauthInstance(),
  ]);
});
afterAll(() => Promise.all([browser?.close(), gateway?.stop(), instance?.close()]));

/** Opens the page; the instance's page of consent answers at once. */
async function openPage(decision: 'allow' | 'deny' = 'allow') {
  const { page, complaints } = await watchedPage(browser, `${gateway.url}/connect`);
  await page.route(`${instance.url}/oauth/authorize**`, (route) =>
    route.fulfill({
      status: 302,
      headers: { location: instance.answerPage(route.request().url(), decision) },
    }),
  );
  await page.getByRole('heading', { name: 'Connect an account' }).waitFor();
  return { page, complaints };
}

const networkButton = (page: Page, name: string) =>
  page.locator('.networks').getByRole('button', { name, exact: true });

async function consent(page: Page): Promise<void> {
  await networkButton(page, 'Mastodon').click();
  await page.getByLabel('Address of your instance').fill(instance.url);
  await page.getByRole('button', { name: 'Continue to Mastodon' }).click();
}

it('connects an account by consent, checks it and disconnects it', async () => {
  const { page, complaints } = await openPage();
  await consent(page);
  const status = page.getByRole('status');
  await status.getByText(/^Connected @kiosk/).waitFor();
  // A reload does not tell of the connection again.
  expect(new URL(page.url()).search).toBe('');

  const account = page.locator('.account', { hasText: '@kiosk' });
  await account.getByText('Connected', { exact: true }).waitFor();
  await account.getByRole('button', { name: 'Check now' }).click();
  await status.getByText(/^Mastodon accepts @kiosk/).waitFor();

  const disconnect = account.getByRole('button', { name: 'Disconnect', exact: true });
  const dialog = page.getByRole('dialog');
  await disconnect.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await disconnect.click();
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await status.getByText(/^Disconnected @kiosk/).waitFor();
  await account.getByText('Not connected', { exact: true }).waitFor();
  // The person went to the instance, whose picture of the account cannot be loaded here.
  const expected = [instance.url, 'files.example', 'net::ERR_NAME_NOT_RESOLVED'];
  expect(complaints.filter((text) => !expected.some((part) => text.includes(part)))).toEqual([]);
});

it('tells that the person did not consent', async () => {
  const { page } = await openPage('deny');
  await consent(page);
  const problem = page.locator('[role="status"] .problem');
  await problem.waitFor();
  expect(await problem.textContent()).toMatch(/did not allow/);
  expect(await contrastOf(problem)).toBeGreaterThanOrEqual(4.5);
});

it('completes a connection in the browser that started it only', async () => {
  const { page } = await openPage();
  let address = '';
  await page.unroute(`${instance.url}/oauth/authorize**`);
  await page.route(`${instance.url}/oauth/authorize**`, (route) => {
    address = instance.answerPage(route.request().url(), 'allow');
    return route.fulfill({ body: 'Allow?' });
  });
  await consent(page);
  await page.getByText('Allow?').waitFor();
  const { page: other } = await watchedPage(browser, address);
  await other.getByText(/started in another browser/).waitFor();
  await page.goto(address);
  await page.getByText(/^Connected @kiosk/).waitFor();
});

it('lets a person without a key connect an account by a link', async () => {
  const { page } = await openPage();
  const links = page.getByRole('region', { name: 'Links for the owners of accounts' });
  await links.getByLabel('Network').selectOption('MASTODON');
  await links.getByRole('button', { name: 'Create link' }).click();
  const address = (await links.locator('.done code').textContent())!;

  const { page: person } = await watchedPage(browser, address);
  await person.route(`${instance.url}/oauth/authorize**`, (route) =>
    route.fulfill({
      status: 302,
      headers: { location: instance.answerPage(route.request().url(), 'allow') },
    }),
  );
  await person.getByText(/will be able to publish posts/).waitFor();
  expect(await person.locator('.networks button').allTextContents()).toEqual(['Mastodon']);
  expect(person.url()).toBe(`${gateway.url}/connect/link`);
  await consent(person);
  await person.getByText(/^Connected @kiosk/).waitFor();

  await links.getByRole('button', { name: 'Revoke' }).click();
  await links.locator('li').waitFor({ state: 'detached' });
  await person.reload();
  await person.locator('.problem', { hasText: 'has expired or was revoked' }).waitFor();
});

it('tells why a server cannot be used, and which credentials are needed', async () => {
  const { page } = await openPage();
  await networkButton(page, 'Mastodon').click();
  await page.getByLabel('Address of your instance').fill('https://no-such-instance.example');
  await page.getByRole('button', { name: 'Continue to Mastodon' }).click();
  await page.locator('[role="status"] .problem', { hasText: 'no-such-instance' }).waitFor();

  await networkButton(page, 'Bluesky').click();
  const password = page.locator('.network-form input[name="appPassword"]');
  await password.waitFor();
  expect(await password.getAttribute('type')).toBe('password');
  expect(await page.locator('.network-form input[name="handle"]').getAttribute('type')).toBe(
    'text',
  );
});

/** All that the page holds: its heap after the garbage is collected, storage, content and address. */
async function memoryOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  return [...chunks, stored, await page.content(), page.url()].join('\n');
}

it('keeps no secret of a connection in the memory of the page', async () => {
  const { page } = await openPage();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await consent(page);
  const status = page.getByRole('status');
  await status.getByText(/^Connected @kiosk/).waitFor();
  const back = new URL(addresses.find((address) => address.includes('/connect/callback'))!);
  const [token] = [...instance.tokens].slice(-1);

  await networkButton(page, 'Mastodon').click();
  const form = page.locator('.network-form form', { hasText: 'Access token' });
  await form.locator('input[name="instance"]').fill(instance.url);
  await form.locator('input[name="accessToken"]').fill(token!);
  await form.getByRole('button', { name: 'Connect' }).click();
  await page.locator('.network-form').waitFor({ state: 'detached' });
  await status.getByText(/^Connected @kiosk/).waitFor();

  const memory = await memoryOf(page);
  // The page needs its key, so that the search is known to find what the page holds.
  expect(memory).toContain(gateway.demo.apiKey);
  const { searchParams } = back;
  for (const secret of [token!, searchParams.get('code')!, searchParams.get('state')!])
    expect(memory.includes(secret)).toBe(false);
});

it('can be used with the keyboard, on a narrow screen', async () => {
  const { page } = await openPage();
  await page.setViewportSize({ width: 400, height: 800 });
  const mastodon = networkButton(page, 'Mastodon');
  await mastodon.focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Address of your instance').waitFor();
  expect(await mastodon.getAttribute('aria-expanded')).toBe('true');
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(overflow).toBeLessThanOrEqual(0);
  const heights = await page
    .locator('.networks button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
});
