import { OAUTH_APPS } from '../../src/domain/connections/oauth-rules.js';
import { withGateway } from '../fixtures/gateway.js';
import { forAllTests } from '../fixtures/lifecycle.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { appOf, startOauthNetworks } from '../networks/stand-ins/oauth-networks.js';
import { hostsAt } from '../networks/stand-ins/official-hosts.js';

const URL_OF_GATEWAY = 'https://gateway.example';
const APP = 'https://app.example.com';
const networkHosts: Record<string, string> = {};
const networks = forAllTests(async () => {
  const started = await startOauthNetworks();
  Object.assign(networkHosts, hostsAt(started.url));
  return started;
}, 'close');
const gateway = withGateway({
  networksAllowLoopback: true,
  networkHosts,
  publicUrl: URL_OF_GATEWAY,
  connectReturnOrigins: [APP],
  ...Object.fromEntries(
    OAUTH_APPS.flatMap((app) => [
      [`${app}_CLIENT_ID`, appOf(app).clientId],
      [`${app}_CLIENT_SECRET`, appOf(app).clientSecret],
    ]),
  ),
});

afterAll(() => expect(networks.violations).toEqual([]));
let people = 7000;
beforeEach(() => {
  Object.assign(networks.state, {
    person: String((people += 1)),
    accounts: 3,
    sendsRefreshTokens: true,
  });
});

/** Pages on LinkedIn, of which a person has several. */
const START = { network: 'linkedin', pages: true, return_url: `${APP}/done?tab=1` };

/** Follows an address of the gateway like a browser, without a key. */
async function comeBack(address: string, headers: Record<string, string> = {}): Promise<URL> {
  const { pathname, search } = new URL(address);
  const response = await fetch(`${gateway.url}${pathname}${search}`, {
    redirect: 'manual',
    headers,
  });
  return new URL(response.headers.get('location')!);
}

/** A connection that waits for a choice. */
async function choosing(as: KeyedViewer) {
  const started = await gateway.v1('POST', '/connections', { as, body: START });
  const address = await networks.answerPage(started.body.authorize_url, 'allow');
  const id = started.body.id as string;
  return { id, address, sentOn: await comeBack(address), path: `/connections/${id}` };
}
const credentialsOf = ({ workspace }: KeyedViewer): Promise<number> =>
  gateway.db.prisma.accountCredential.count({ where: { account: { workspaceId: workspace.id } } });
const finishByV1 = async (as: KeyedViewer, id: string, choices: readonly unknown[]) => {
  const { status, body } = await gateway.v1('POST', `/connections/${id}`, {
    as,
    body: { choices },
  });
  return status === 200 ? (body.account_ids as string[]) : (body.code as string);
};
const finishByGraphql = async (as: KeyedViewer, id: string, choices: readonly unknown[]) => {
  const query =
    'mutation($input: FinishConnectionInput!) { finishConnection(input: $input) { accounts { id } userErrors { code } } }';
  const { body } = await gateway.graphql(query, { input: { id, choices } }, { as });
  const { accounts, userErrors } = body.data.finishConnection;
  return userErrors.length > 0
    ? (userErrors[0].code as string)
    : accounts.map((account: { id: string }) => account.id);
};

it.each([
  ['REST v1', finishByV1],
  ['GraphQL', finishByGraphql],
])('%s connects the chosen accounts, and refuses what was not offered', async (_name, finish) => {
  const owner = await gateway.records.aViewer();
  const { id, sentOn, path } = await choosing(owner);
  expect(sentOn.href).toBe(`${APP}/done?tab=1&connection=${id}&status=choose`);
  const { body } = await gateway.v1('GET', path, { as: owner });
  expect(body).toMatchObject({ status: 'choose', account_ids: [], error: null });
  expect(body.choices.map((choice: any) => [choice.id, choice.kind, choice.account_id])).toEqual([
    ['1', 'page', null],
    ['2', 'page', null],
    ['3', 'page', null],
  ]);
  // The tokens wait encrypted.
  const { sealed, choices } = await gateway.db.prisma.pendingConnection.findUniqueOrThrow({
    where: { id },
  });
  const stored = `${Buffer.from(sealed!).toString('latin1')} ${JSON.stringify(choices)}`;
  for (const token of networks.state.tokens.keys()) expect(stored).not.toContain(token);

  const admin = await gateway.records.aViewer({ workspaceId: owner.workspace.id, role: 'admin' });
  expect(await finish(admin, id, ['1'])).toBe('CONNECTION_NOT_FOUND');
  expect(await finish(owner, id, ['1', '4'])).toBe('RULE_VIOLATION');
  expect(await finish(owner, id, ['urn:li:organization:1'])).toBe('RULE_VIOLATION');
  expect(await credentialsOf(owner)).toBe(0);
  expect(await finish(owner, id, ['3', '1', '3'])).toHaveLength(2);
  expect(await credentialsOf(owner)).toBe(2);
  expect(await finish(owner, id, ['2'])).toBe('RULE_VIOLATION');
  const ended = await gateway.db.prisma.pendingConnection.findUniqueOrThrow({ where: { id } });
  expect([ended.status, ended.sealed]).toEqual(['connected', null]);

  // Once more: accounts of the workspace are named, and the choice ends after 10 minutes.
  const again = await choosing(owner);
  const offered = await gateway.v1('GET', again.path, { as: owner });
  expect(offered.body.choices.map((choice: any) => choice.account_id)).toEqual([
    expect.stringMatching(/^acc_/),
    null,
    expect.stringMatching(/^acc_/),
  ]);
  await gateway.db.prisma.pendingConnection.update({
    where: { id: again.id },
    data: { expiresAt: new Date(0) },
  });
  expect(await finish(owner, again.id, ['2'])).toBe('CONNECTION_EXPIRED');
  expect((await gateway.v1('GET', again.path, { as: owner })).body).toMatchObject({
    status: 'expired',
    choices: [],
  });
});

it('connects all of the chosen accounts, or none', async () => {
  const [first, second] = [await gateway.records.aViewer(), await gateway.records.aViewer()];
  await finishByV1(first, (await choosing(first)).id, ['2']);
  const { id } = await choosing(second);
  expect(await finishByV1(second, id, ['1', '2'])).toBe('WRONG_IDENTITY');
  expect(await credentialsOf(second)).toBe(0);
  expect(await finishByV1(second, id, ['1', '3'])).toHaveLength(2);
});

it('a person with a link chooses, and learns no IDs of accounts', async () => {
  const owner = await gateway.records.aViewer();
  const { body } = await gateway.v1('POST', '/connect-links', {
    as: owner,
    body: { networks: ['linkedin'] },
  });
  const send = async (path: string, content?: object) => {
    const response = await fetch(`${gateway.url}/connect/link/${path}`, {
      method: content ? 'POST' : 'GET',
      headers: {
        Authorization: `Connect-Link ${(body.url as string).split('#')[1]}`,
        Origin: URL_OF_GATEWAY,
        ...(content && { 'Content-Type': 'application/json' }),
      },
      ...(content && { body: JSON.stringify(content) }),
    });
    return { response, body: (await response.json()) as any };
  };
  const started = await send('connections', { network: 'linkedin', pages: true });
  const cookie = started.response.headers.get('set-cookie')!;
  expect(cookie).toMatch(
    /^__Host-posts-gateway-connect=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  );
  const address = await networks.answerPage(started.body.authorize_url, 'allow');
  const [pair] = cookie.split(';');
  // Without the prefix, a page of another host of the domain could have set it.
  const planted = await comeBack(address, { Cookie: pair!.replace('__Host-', '') });
  expect(planted.searchParams.get('code')).toBe('FORBIDDEN');
  const sentOn = await comeBack(address, { Cookie: pair! });
  const path = `connections/${sentOn.searchParams.get('connection')}`;
  const [choice] = (await send(path)).body.choices;
  expect(choice).toEqual({ id: '1', name: expect.any(String), kind: 'page', picture: null });
  const finished = await send(path, { choices: ['1'] });
  expect(finished.body).toMatchObject({ status: 'connected', accounts: [choice.name] });
  expect(JSON.stringify(finished.body)).not.toMatch(/acc_/);
  expect(await credentialsOf(owner)).toBe(1);
});

describe('attacks', () => {
  it('the callback sends people only where the start was allowed to', async () => {
    const owner = await gateway.records.aViewer();
    const { address } = await choosing(owner);
    const evil = 'https://evil.example/';
    for (const name of ['returnUrl', 'return_url', 'redirect_uri', 'next', 'connection']) {
      const attacked = new URL(address);
      attacked.searchParams.set(name, evil);
      expect((await comeBack(attacked.href)).origin).toBe(APP);
      attacked.searchParams.set('state', 'unknown');
      expect((await comeBack(attacked.href)).href).toBe(
        `${URL_OF_GATEWAY}/connect?status=failed&code=CONNECTION_EXPIRED`,
      );
    }
  });

  it('an answer that names another network is not taken', async () => {
    const owner = await gateway.records.aViewer();
    const started = await gateway.v1('POST', '/connections', {
      as: owner,
      body: { network: 'youtube' },
    });
    const address = new URL(await networks.answerPage(started.body.authorize_url, 'allow'));
    address.searchParams.set('iss', 'https://evil.example');
    const tokens = networks.state.tokens.size;
    expect((await comeBack(address.href)).searchParams.get('status')).toBe('failed');
    // The code was not sent anywhere.
    expect(networks.state.tokens.size).toBe(tokens);
  });
});
