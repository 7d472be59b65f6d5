import { randomBytes } from 'node:crypto';
import type { Network } from '../../src/domain/networks/networks.js';
import { openBrowser, watchedPage } from '../../test/e2e/browser.js';
import { withGateway, type TestGateway } from '../../test/fixtures/gateway.js';
import { waitFor } from '../../test/fixtures/wait-for.js';
import type { RealNetwork } from './publishing-tests.js';

/** A page in the browser, as the tests of pages know it. */
export type BrowserPage = Awaited<ReturnType<typeof watchedPage>>['page'];

/** The page of a network that asks a person for consent. */
export interface ConsentPage {
  /** What the person enters on /connect. */
  readonly field: string;
  readonly server: string;
  allow(page: BrowserPage): Promise<void>;
  /** Null if the page has no way to refuse. */
  readonly deny: ((page: BrowserPage) => Promise<void>) | null;
}

/** What a network is called, and its account after it is connected. */
interface Expected {
  readonly networkName: string;
  readonly accountName: string;
}

const MAX_WAIT_MS = 60_000;

const PUBLISH =
  'mutation($input: CreatePostsInput!) { createPosts(input: $input) { posts { id } userErrors { message } } }';
const PUBLICATION =
  'query($id: ID!) { post(id: $id) { publication { status error { message } } } }';
const ACCOUNTS = '{ accounts { id name connection { method health } } }';

/** A gateway without accounts, whose jobs run. */
function aGateway(): TestGateway {
  const gateway = withGateway({ networksAllowLoopback: true });
  beforeAll(() => gateway.startWorker());
  return gateway;
}

/** The accounts of the workspace, as the API shows them. */
const accountsOf = async (gateway: TestGateway): Promise<any[]> =>
  (await gateway.graphql(ACCOUNTS)).body.data.accounts;

/** Publishes a post on an account through the API. @throws Error if the network does not have it */
async function publish(
  gateway: TestGateway,
  { find }: Pick<RealNetwork, 'find'>,
  { accountId, type }: { accountId: string; type: 'STATUS' | 'ARTICLE' },
): Promise<void> {
  const marker = `consented${randomBytes(4).toString('hex')}`;
  const content = type === 'ARTICLE' ? { title: marker, text: 'Beans' } : { text: marker };
  const post = { type, ...content };
  const { body } = await gateway.graphql(PUBLISH, {
    input: { mode: 'SHARE_NOW', targets: [{ accountId }], post },
  });
  expect(body.data.createPosts.userErrors).toEqual([]);
  const [{ id }] = body.data.createPosts.posts;
  let publication: any = null;
  await waitFor(async () => {
    ({ publication } = (await gateway.graphql(PUBLICATION, { id })).body.data.post);
    return publication.status === 'PUBLISHED' || publication.error !== null;
  }, MAX_WAIT_MS);
  expect(publication).toEqual({ status: 'PUBLISHED', error: null });
  expect(await find(marker)).toHaveLength(1);
}

/** Tests an account that is connected by credentials through the API, from them to a post. */
export function testCredentials(connectNetwork: () => RealNetwork): void {
  const gateway = aGateway();
  const CONNECT =
    'mutation($input: ConnectAccountInput!) { connectAccount(input: $input) { account { id } userErrors { code } } }';
  const connect = async (network: Network, credentials: object) => {
    const entries = Object.entries(credentials).map(([name, value]) => ({ name, value }));
    const input = { network: network.toUpperCase(), credentials: entries };
    return (await gateway.graphql(CONNECT, { input })).body.data.connectAccount;
  };

  it('connects an account through the API and publishes on it', async () => {
    const network = connectNetwork();
    const credentials = network.credentials(network.url);
    const wrong = { ...credentials, appPassword: 'aaaa-bbbb-cccc-dddd' };
    expect(await connect(network.network, wrong)).toEqual({
      account: null,
      userErrors: [{ code: 'RULE_VIOLATION' }],
    });
    expect(await accountsOf(gateway)).toEqual([]);
    const { account, userErrors } = await connect(network.network, credentials);
    expect(userErrors).toEqual([]);
    await publish(gateway, network, { accountId: account.id, type: 'STATUS' });
    expect(await accountsOf(gateway)).toMatchObject([
      { id: account.id, connection: { method: 'CREDENTIALS', health: 'OK' } },
    ]);
  });
}

/** Tests an account that its owner connects in a browser, from the button on /connect to a post. */
export function testConsentInBrowser(
  connectNetwork: () => Pick<RealNetwork, 'find'> & Expected & { readonly page: ConsentPage },
  type: 'STATUS' | 'ARTICLE',
): void {
  const gateway = aGateway();

  it(
    'connects the account of a person who consents in a browser, and publishes on it',
    async () => {
      const { networkName, accountName, page: consentPage, find } = connectNetwork();
      const browser = await openBrowser();
      try {
        const { page } = await watchedPage(browser, `${gateway.url}/connect`);
        await page.getByLabel('Key').fill(gateway.owner.apiKey);
        await page.getByLabel('Workspace').fill(gateway.owner.workspace.id);
        await page.getByRole('button', { name: 'Connect', exact: true }).click();
        const status = page.getByRole('status');

        /** From the button of the network to its page. */
        const goToNetwork = async (): Promise<void> => {
          await page.locator('.networks').getByRole('button', { name: networkName }).click();
          await page.getByLabel(consentPage.field).fill(consentPage.server);
          await page.getByRole('button', { name: `Continue to ${networkName}` }).click();
          await page.waitForURL(`${consentPage.server}/**`);
        };
        if (consentPage.deny) {
          await goToNetwork();
          await consentPage.deny(page);
          await status.getByText(/You did not allow the gateway/).waitFor();
          expect(await accountsOf(gateway)).toEqual([]);
        }
        await goToNetwork();
        await consentPage.allow(page);
        await status.getByText(`Connected ${accountName}.`).waitFor();
        expect(page.url()).toBe(`${gateway.url}/connect`);
        await page.getByRole('button', { name: 'Check now' }).click();
        await status.getByText(`${networkName} accepts ${accountName}.`).waitFor();
      } finally {
        await browser.close();
      }
      const [account, ...others] = await accountsOf(gateway);
      expect(others).toEqual([]);
      expect(account).toMatchObject({
        name: accountName,
        connection: { method: 'OAUTH', health: 'OK' },
      });
      await publish(gateway, { find }, { accountId: account.id, type });
    },
    3 * MAX_WAIT_MS,
  );
}
