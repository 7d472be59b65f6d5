import { withGateway } from '../fixtures/gateway.js';
import { aMastodonInstance } from '../fixtures/mastodon-instance.js';
import { forAllTests } from '../fixtures/lifecycle.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { startOauthInstance } from '../networks/stand-ins/mastodon-oauth.js';

const APP = 'https://app.example.com';
const instance = forAllTests(() => startOauthInstance(), 'close');
const gateway = withGateway({ networksAllowLoopback: true, connectReturnOrigins: [APP] });
const returnUrl = `${APP}/accounts?tab=1`;

beforeEach(async () => {
  instance.becomeAccount('109');
  instance.answerCodes('all scopes');
  await gateway.db.prisma.accountCredential.deleteMany();
  await gateway.db.prisma.pendingConnection.deleteMany();
});

const CONNECTION =
  'connection { id network status authorizeUrl expiresAt choices { id name kind picture account { id } } accounts { id name connection { method health grantedScopes renewsItself expiresAt } } error { code message } }';
const START = `mutation($input: StartConnectionInput!) { startConnection(input: $input) { ${CONNECTION} userErrors { code message field } } }`;

async function start(as: KeyedViewer, input: object = {}): Promise<any> {
  const variables = {
    input: { network: 'MASTODON', server: instance.url, returnUrl, ...input },
  };
  const { body } = await gateway.graphql(START, variables, { as });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data.startConnection;
}

async function find(as: KeyedViewer, id: string): Promise<any> {
  const query = `query($id: ID!) { ${CONNECTION.replace('connection', 'connection(id: $id)')} }`;
  return (await gateway.graphql(query, { id }, { as })).body.data.connection;
}

/** Follows the address like a browser, without a key. Returns where it is sent on. */
async function comeBack(address: string, headers: Record<string, string> = {}): Promise<URL> {
  const { pathname, search } = new URL(address);
  const response = await fetch(`${gateway.url}${pathname}${search}`, {
    redirect: 'manual',
    headers,
  });
  expect([response.status, response.headers.get('cache-control')]).toEqual([303, 'no-store']);
  return new URL(response.headers.get('location')!);
}
const parametersOf = ({ searchParams }: URL): object => Object.fromEntries(searchParams);

/** Starts a connection, and answers the page of the instance. */
async function connect(
  as: KeyedViewer,
  { decision = 'allow', ...input }: { decision?: 'allow' | 'deny'; accountId?: string } = {},
) {
  const { connection } = await start(as, input);
  const address = instance.answerPage(connection.authorizeUrl, decision);
  const sentOn = await comeBack(address);
  return {
    id: connection.id as string,
    address,
    sentOn,
    connection: await find(as, connection.id),
  };
}

const credentialsCount = (): Promise<number> => gateway.db.prisma.accountCredential.count();

it('connects the account of the person who gave consent', async () => {
  const owner = await gateway.records.aViewer();
  const before = instance.registrations();
  const started = await start(owner);
  expect(started).toEqual({
    connection: {
      id: expect.stringMatching(/^con_\w{16}$/),
      network: 'MASTODON',
      status: 'STARTED',
      authorizeUrl: expect.stringContaining(`${instance.url}/oauth/authorize?response_type=code`),
      expiresAt: expect.any(String),
      choices: [],
      accounts: [],
      error: null,
    },
    userErrors: [],
  });
  const { id, authorizeUrl } = started.connection;
  const asked = new URL(authorizeUrl).searchParams;
  expect(asked.get('redirect_uri')).toBe(`${gateway.url}/connect/callback`);
  expect(asked.get('scope')).toBe('read:accounts read:statuses write:statuses write:media');
  const sentOn = await comeBack(instance.answerPage(authorizeUrl, 'allow'));
  expect(`${sentOn.origin}${sentOn.pathname}`).toBe(`${APP}/accounts`);
  expect(parametersOf(sentOn)).toEqual({ tab: '1', connection: id, status: 'connected' });
  const { host } = new URL(instance.url);
  expect(await find(owner, id)).toMatchObject({
    status: 'CONNECTED',
    authorizeUrl: null,
    error: null,
    accounts: [
      {
        name: `@kiosk109@${host}`,
        connection: {
          method: 'OAUTH',
          health: 'OK',
          grantedScopes: ['read:accounts', 'read:statuses', 'write:statuses', 'write:media'],
          renewsItself: false,
          expiresAt: null,
        },
      },
    ],
  });
  expect(instance.violations).toEqual([]);
  // the gateway keeps its client, and no secret of the connection
  await connect(owner);
  expect(instance.registrations() - before).toBeLessThanOrEqual(1);
  expect(
    await gateway.db.prisma.pendingConnection.count({ where: { sealed: { not: null } } }),
  ).toBe(0);
});

it('starts, reads and completes connections through REST v1', async () => {
  const as = await gateway.records.aViewer();
  const started = await gateway.v1('POST', '/connections', {
    as,
    body: { network: 'mastodon', server: instance.url },
  });
  expect(started).toMatchObject({ status: 200, body: { status: 'started', account_ids: [] } });
  const sentOn = await comeBack(instance.answerPage(started.body.authorize_url, 'allow'));
  expect(sentOn.href).toBe(
    `${gateway.url}/connect?connection=${started.body.id as string}&status=connected`,
  );
  const path = `/connections/${started.body.id as string}`;
  const [account] = await gateway.db.prisma.account.findMany({
    where: { workspaceId: as.workspace.id },
  });
  expect((await gateway.v1('GET', path, { as })).body).toMatchObject({
    status: 'connected',
    authorize_url: null,
    account_ids: [account!.id],
  });
  expect(await gateway.v1('POST', path, { as, body: { choices: ['1'] } })).toMatchObject({
    status: 422,
    body: { code: 'RULE_VIOLATION' },
  });
  expect(await gateway.v1('GET', '/connections/con_none', { as })).toMatchObject({
    status: 404,
    body: { code: 'CONNECTION_NOT_FOUND' },
  });
});

it('reconnects an account, and no other one', async () => {
  const owner = await gateway.records.aViewer();
  const [{ id: accountId }] = (await connect(owner)).connection.accounts;
  expect((await connect(owner, { accountId })).connection).toMatchObject({
    status: 'CONNECTED',
    accounts: [{ id: accountId }],
  });
  const stored = await gateway.db.prisma.accountCredential.findMany();
  instance.becomeAccount('110');
  const { sentOn, connection } = await connect(owner, { accountId });
  expect(parametersOf(sentOn)).toMatchObject({ status: 'failed', code: 'WRONG_IDENTITY' });
  expect(connection).toMatchObject({ status: 'FAILED', accounts: [], choices: [] });
  expect(await gateway.db.prisma.accountCredential.findMany()).toEqual(stored);
});

describe('nothing is connected', () => {
  it.each([
    ['a denied consent', 'deny', 'all scopes', 'CONSENT_DENIED', /^You did not allow the gateway/],
    [
      'fewer scopes than asked',
      'allow',
      'fewer scopes',
      'SCOPES_MISSING',
      /Missing: write:statuses, write:media\.$/,
    ],
    ['an answer that is no token', 'allow', 'an error page', 'UNAVAILABLE', /HTML page/],
  ] as const)('after %s', async (_name, decision, answer, code, message) => {
    instance.answerCodes(answer);
    const owner = await gateway.records.aViewer();
    const { id, sentOn, connection } = await connect(owner, { decision });
    expect(parametersOf(sentOn)).toEqual({ tab: '1', connection: id, status: 'failed', code });
    expect(connection).toMatchObject({
      status: 'FAILED',
      accounts: [],
      error: { code, message: expect.stringMatching(message) },
    });
    expect(await credentialsCount()).toBe(0);
  });

  it('for an account that is connected in another workspace', async () => {
    await connect(await gateway.records.aViewer());
    const { sentOn } = await connect(await gateway.records.aViewer());
    expect(parametersOf(sentOn)).toMatchObject({ status: 'failed', code: 'WRONG_IDENTITY' });
    expect(await credentialsCount()).toBe(1);
  });

  it('twice with one state: the second request changes nothing', async () => {
    const owner = await gateway.records.aViewer();
    const { connection } = await start(owner);
    const address = instance.answerPage(connection.authorizeUrl, 'allow');
    const tokensBefore = instance.tokens.size;
    const sentOn = await Promise.all([1, 2, 3].map(() => comeBack(address)));
    expect(instance.tokens.size).toBe(tokensBefore + 1);
    expect(
      sentOn.filter(({ searchParams }) => searchParams.get('status') === 'connected').length,
    ).toBeGreaterThanOrEqual(1);
    expect(parametersOf(await comeBack(address))).toMatchObject({ status: 'connected' });
    expect(instance.tokens.size).toBe(tokensBefore + 1);
  });

  it('with an unknown or expired state', async () => {
    const unknown = await comeBack(`${gateway.url}/connect/callback?state=x&code=y`);
    expect(unknown.href).toBe(`${gateway.url}/connect?status=failed&code=CONNECTION_EXPIRED`);
    const owner = await gateway.records.aViewer();
    const { connection } = await start(owner);
    await gateway.db.prisma.pendingConnection.updateMany({ data: { expiresAt: new Date(0) } });
    const sentOn = await comeBack(instance.answerPage(connection.authorizeUrl, 'allow'));
    expect(parametersOf(sentOn)).toMatchObject({ status: 'failed', code: 'CONNECTION_EXPIRED' });
    expect(await find(owner, connection.id)).toMatchObject({ status: 'EXPIRED' });
    expect(await credentialsCount()).toBe(0);
  });

  it('for a member who may no longer connect accounts', async () => {
    const owner = await gateway.records.aViewer();
    const admin = await gateway.records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'admin',
    });
    const { connection } = await start(admin);
    await gateway.db.prisma.membership.updateMany({
      where: { userId: admin.user.id },
      data: { role: 'editor' },
    });
    const sentOn = await comeBack(instance.answerPage(connection.authorizeUrl, 'allow'));
    expect(parametersOf(sentOn)).toMatchObject({ status: 'failed' });
    expect(await credentialsCount()).toBe(0);
  });
});

describe('a connection that is started on a page of the gateway', () => {
  const COOKIE =
    /^(posts-gateway-connect=[\w-]{43}); Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/;

  /** The address of the network, and the cookie that the browser got. */
  async function startOnPage(as: KeyedViewer, headers: Record<string, string> = {}) {
    const page = { Origin: gateway.url, ...headers };
    const input = { network: 'MASTODON', server: instance.url };
    const graphql = await gateway.graphql(START, { input }, { as, headers: page });
    const rest = await gateway.v1('POST', '/connections', {
      as,
      headers: page,
      body: { network: 'mastodon', server: instance.url },
    });
    return [
      [graphql, graphql.body.data.startConnection.connection.authorizeUrl],
      [rest, rest.body.authorize_url],
    ].map(([response, authorizeUrl]) => ({
      address: instance.answerPage(authorizeUrl, 'allow'),
      cookie: COOKIE.exec(response.headers.get('set-cookie') ?? '')?.[1],
    }));
  }

  it('is completed in the same browser only', async () => {
    const owner = await gateway.records.aViewer();
    for (const { address, cookie } of await startOnPage(owner)) {
      expect(cookie).toBeDefined();
      const others = [{}, { Cookie: 'posts-gateway-connect=x' }, { Cookie: `__Host-${cookie}` }];
      for (const headers of others) {
        const sentOn = await comeBack(address, headers as Record<string, string>);
        expect(sentOn.href).toBe(`${gateway.url}/connect?status=failed&code=FORBIDDEN`);
      }
      expect(parametersOf(await comeBack(address, { Cookie: `a=b; ${cookie}` }))).toMatchObject({
        status: 'connected',
      });
    }
    expect(instance.violations).toEqual([]);
  });

  it('keeps the cookie of other connections of the browser', async () => {
    const owner = await gateway.records.aViewer();
    const [{ cookie } = {}] = await startOnPage(owner);
    const [again] = await startOnPage(owner, { Cookie: cookie! });
    expect(again!.cookie).toBe(cookie);
  });

  it('is not one that a page of another origin starts', async () => {
    const owner = await gateway.records.aViewer();
    const [started] = await startOnPage(owner, { Origin: APP });
    expect(started!.cookie).toBeUndefined();
    expect(parametersOf(await comeBack(started!.address))).toMatchObject({ status: 'connected' });
  });
});

it('shows a connection to the user who started it only', async () => {
  const owner = await gateway.records.aViewer();
  const admin = await gateway.records.aViewer({ workspaceId: owner.workspace.id, role: 'admin' });
  const { connection } = await start(owner);
  for (const as of [admin, await gateway.records.aViewer()])
    expect(await find(as, connection.id)).toBeNull();
});

describe('refuses to start', () => {
  const OTHER_PAGES = [
    'https://evil.example/accounts',
    'https://app.example.com.evil.example/',
    'https://me@app.example.com/',
    'http://app.example.com/',
    'javascript:alert(1)',
    '//app.example.com/',
    '/accounts',
  ];
  it.each(OTHER_PAGES)('with the return address %s', async (url) => {
    const { connection, userErrors } = await start(await gateway.records.aViewer(), {
      returnUrl: url,
    });
    expect([connection, userErrors]).toMatchObject([
      null,
      [{ code: 'RULE_VIOLATION', field: ['input', 'returnUrl'] }],
    ]);
  });

  it('at a server that is no Mastodon, or not public', async () => {
    const other = await aMastodonInstance({ token: 'x' });
    const owner = await gateway.records.aViewer();
    for (const server of [
      other.url,
      'http://10.0.0.1',
      'https://169.254.169.254/latest',
      'https://user:secret@mastodon.example',
      'ftp://mastodon.example',
      '',
    ])
      expect([server, (await start(owner, { server })).userErrors]).toMatchObject([
        server,
        [{ code: 'RULE_VIOLATION', field: ['input', 'server'] }],
      ]);
    expect(await gateway.db.prisma.pendingConnection.count()).toBe(0);
    expect(await gateway.db.prisma.serverClient.count({ where: { server: other.url } })).toBe(0);
    await other.close();
  });

  it('for other roles, foreign accounts, and networks without consent', async () => {
    const owner = await gateway.records.aViewer();
    const editor = await gateway.records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'editor',
    });
    expect((await start(editor)).userErrors).toMatchObject([{ code: 'FORBIDDEN' }]);
    const foreign = await gateway.records.anAccount({
      workspaceId: (await gateway.records.aViewer()).workspace.id,
    });
    expect((await start(owner, { accountId: foreign.id })).userErrors).toMatchObject([
      { code: 'RULE_VIOLATION', field: ['input', 'accountId'] },
    ]);
    expect((await start(owner, { network: 'TELEGRAM', server: null })).userErrors).toMatchObject([
      { code: 'RULE_VIOLATION', field: ['input', 'network'] },
    ]);
  });

  it('more than 20 connections at once in a workspace', async () => {
    const owner = await gateway.records.aViewer();
    const outcomes = await Promise.all(Array.from({ length: 22 }, () => start(owner)));
    const codes = outcomes.flatMap(({ userErrors }) => userErrors.map(({ code }: any) => code));
    expect(codes).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
  });
});

it('tells how accounts of each network can be connected', async () => {
  const { body } = await gateway.graphql(
    '{ networks { network adapter { connects configured redirectUrl } } }',
  );
  const of = (name: string): unknown =>
    body.data.networks.find(({ network }: any) => network === name).adapter;
  expect(of('MASTODON')).toEqual({
    connects: ['OAUTH', 'CREDENTIALS'],
    configured: true,
    redirectUrl: null,
  });
  expect(of('TELEGRAM')).toEqual({
    connects: ['CREDENTIALS'],
    configured: true,
    redirectUrl: null,
  });
});
