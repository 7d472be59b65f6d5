import { OAUTH_APPS } from '../../src/domain/connections/oauth-rules.js';
import { withGateway } from '../fixtures/gateway.js';
import { forAllTests } from '../fixtures/lifecycle.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { waitFor } from '../fixtures/wait-for.js';
import { OAUTH_CONSENTS } from './stand-ins/oauth-dialects.js';
import {
  appOf,
  startOauthNetworks,
  type Decision,
  type OauthConsent,
} from './stand-ins/oauth-networks.js';
import { hostsAt } from './stand-ins/official-hosts.js';

const networkHosts: Record<string, string> = {};
const networks = forAllTests(async () => {
  const started = await startOauthNetworks();
  Object.assign(networkHosts, hostsAt(started.url));
  return started;
}, 'close');
const gateway = withGateway({
  networksAllowLoopback: true,
  networkHosts,
  // Networks take https only.
  publicUrl: 'https://gateway.example',
  ...Object.fromEntries(
    OAUTH_APPS.flatMap((app) => [
      [`${app}_CLIENT_ID`, appOf(app).clientId],
      [`${app}_CLIENT_SECRET`, appOf(app).clientSecret],
    ]),
  ),
});

let people = 1000;
beforeEach(async () => {
  Object.assign(networks.state, {
    person: String((people += 1)),
    accounts: 1,
    sendsRefreshTokens: true,
  });
  await gateway.db.prisma.pendingConnection.deleteMany();
});
beforeAll(() => gateway.startWorker());
afterEach(() => expect(networks.violations).toEqual([]));

const ACCOUNT = 'id name type connection { method health grantedScopes renewsItself expiresAt }';
const CONNECTION = `connection { id status authorizeUrl choices { id name kind } accounts { ${ACCOUNT} } error { code message } }`;

async function run(as: KeyedViewer, query: string, variables: object): Promise<any> {
  const { body } = await gateway.graphql(query, { ...variables }, { as });
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** Starts a connection. Returns its ID, and the page of the network. */
async function start(
  as: KeyedViewer,
  { network, way }: OauthConsent,
  accountId?: string,
): Promise<{ id: string; authorizeUrl: string }> {
  const { startConnection } = await run(
    as,
    `mutation($input: StartConnectionInput!) { startConnection(input: $input) { connection { id authorizeUrl } userErrors { code message } } }`,
    {
      input: {
        network: network.toUpperCase(),
        pages: way === 'pages',
        login: way === 'facebook' ? 'FACEBOOK' : null,
        accountId,
      },
    },
  );
  expect(startConnection.userErrors).toEqual([]);
  return startConnection.connection;
}

/** Follows an address of the gateway like a browser. Returns the parameters with which it goes on. */
async function comeBack(address: string): Promise<Record<string, string>> {
  const { pathname, search } = new URL(address);
  const response = await fetch(`${gateway.url}${pathname}${search}`, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
  return Object.fromEntries(new URL(location).searchParams);
}

const find = async (as: KeyedViewer, id: string): Promise<any> =>
  (
    await run(
      as,
      `query($id: ID!) { ${CONNECTION.replace('connection', 'connection(id: $id)')} }`,
      { id },
    )
  ).connection;

/** A whole connection. Returns what became of it. */
async function connect(
  as: KeyedViewer,
  consent: OauthConsent,
  decision: Decision = 'allow',
  accountId?: string,
): Promise<any> {
  const { id, authorizeUrl } = await start(as, consent, accountId);
  const address = await networks.answerPage(authorizeUrl, decision);
  const sentOn = await comeBack(address);
  const connection = await find(as, id);
  expect(sentOn).toEqual({
    connection: id,
    status: connection.status.toLowerCase(),
    ...(connection.error && { code: connection.error.code }),
  });
  return { ...connection, address };
}

const finish = async (as: KeyedViewer, id: string, choices: readonly string[]): Promise<any> =>
  (
    await run(
      as,
      `mutation($input: FinishConnectionInput!) { finishConnection(input: $input) { ${CONNECTION} userErrors { code message } } }`,
      { input: { id, choices } },
    )
  ).finishConnection;

const anOwner = (): Promise<KeyedViewer> => gateway.records.aViewer();
const credentialsOf = (owner: KeyedViewer): Promise<number> =>
  gateway.db.prisma.accountCredential.count({
    where: { account: { workspaceId: owner.workspace.id } },
  });

it('edits a post with the token of a connected page', async () => {
  const owner = await anOwner();
  const pages = OAUTH_CONSENTS.find(({ way }) => way === 'pages')!;
  const [connected] = (await connect(owner, pages)).accounts;
  const account = await gateway.db.prisma.account.findUniqueOrThrow({
    where: { id: connected.id },
  });
  const post = await gateway.records.aPost({
    by: owner,
    account,
    storedState: 'published_posted',
    type: 'status',
    remoteId: 'urn:li:share:7100000000000000001',
  });
  const { updatePost } = await run(
    owner,
    'mutation($input: UpdatePostInput!) { updatePost(input: $input) { userErrors { message } } }',
    { input: { id: post.id, post: { text: 'New' } } },
  );
  expect(updatePost.userErrors).toEqual([]);
  await waitFor(() => networks.state.edits.length > 0);
  expect(networks.state.edits).toEqual([{ person: networks.state.person, text: 'New' }]);
});

describe('access to an account', () => {
  const consentOf = (network: string): OauthConsent =>
    OAUTH_CONSENTS.find((consent) => consent.network === network && consent.way === 'own')!;
  const connected = async (network: string) => {
    const owner = await anOwner();
    const [account] = (await connect(owner, consentOf(network))).accounts;
    return { owner, id: account.id as string };
  };
  const stored = (id: string) =>
    gateway.db.prisma.accountConnection.findUniqueOrThrow({
      where: { accountId: id },
      include: { account: true },
    });
  /** Lets the workers look after an account now. */
  async function lookAfter(id: string, data: object = {}): Promise<void> {
    const dueAt = new Date(0);
    await gateway.db.prisma.accountConnection.update({
      where: { accountId: id },
      data: { dueAt, ...data },
    });
    await gateway.db.prisma.job.create({
      data: { id: `job_${id}${Date.now()}`, kind: 'connection' },
    });
    await waitFor(async () => {
      const working = await gateway.db.prisma.job.count({
        where: { kind: 'connection', status: 'working' },
      });
      return working === 0;
    });
  }
  const check = async (as: KeyedViewer, id: string): Promise<any> =>
    (
      await run(
        as,
        'mutation($id: ID!) { checkAccount(input: { id: $id }) { account { connection { health message } } } }',
        { id },
      )
    ).checkAccount.account.connection;
  const eventsOf = async (id: string): Promise<string[]> =>
    (
      await gateway.db.pool.query<{ type: string }>(
        "SELECT type FROM event WHERE account_id = $1 OR (type = 'notification.created' AND workspace_id = (SELECT workspace_id FROM account WHERE id = $1)) ORDER BY sequence",
        [id],
      )
    ).rows.map(({ type }) => type);

  it.each(['twitter', 'tiktok', 'pinterest', 'linkedin', 'instagram', 'threads'])(
    'is renewed on %s at half of its life',
    async (network) => {
      const { owner, id } = await connected(network);
      const { renewAt, expiresAt } = await stored(id);
      const life = expiresAt!.getTime() - Date.now();
      expect(Math.abs(renewAt!.getTime() - Date.now() - life / 2)).toBeLessThan(60_000);
      const before = [...networks.state.tokens.keys()];
      await lookAfter(id, { renewAt: new Date(0), expiresAt: new Date(Date.now() + 1_000) });
      const after = await stored(id);
      expect(after.expiresAt!.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
      expect(after.renewAt!.getTime()).toBeGreaterThan(Date.now());
      // The token of before is not used any more.
      for (const token of before) networks.state.tokens.delete(token);
      const renewals = networks.state.renewals.length;
      expect(await check(owner, id)).toEqual({ health: 'OK', message: null });
      expect(networks.state.renewals).toHaveLength(renewals);
    },
  );

  it('is renewed at once, and once, after the network refused it', async () => {
    const { owner, id } = await connected('twitter');
    networks.state.tokens.clear();
    const renewals = networks.state.renewals.length;
    const answers = await Promise.all([1, 2, 3].map(() => check(owner, id)));
    expect(answers).toEqual(Array(3).fill({ health: 'OK', message: null }));
    expect(networks.state.renewals.length - renewals).toBe(1);
  });

  it('is lost if the network no longer renews it, which is told once', async () => {
    const { owner, id } = await connected('pinterest');
    networks.state.refreshTokens.clear();
    await lookAfter(id, { renewAt: new Date(0) });
    expect((await stored(id)).account.needsReauth).toBe(true);
    await lookAfter(id, { renewAt: new Date(0) });
    const told = (await eventsOf(id)).filter((type) =>
      /needs_reauthorization|notification/.test(type),
    );
    expect(told.sort()).toEqual(['account.needs_reauthorization', 'notification.created']);
    expect(
      await gateway.db.prisma.notification.findMany({ where: { userId: owner.user.id } }),
    ).toMatchObject([{ message: expect.stringMatching(/^Pinterest no longer accepts kiosk/) }]);
  });

  it('is not lost while the network is unavailable', async () => {
    const { id } = await connected('tiktok');
    networks.injectFault(0, { status: 503, text: '' });
    await lookAfter(id, { renewAt: new Date(0) });
    const { account, dueAt, renewAt } = await stored(id);
    expect([account.needsReauth, renewAt]).toEqual([false, new Date(0)]);
    expect(dueAt!.getTime()).toBeGreaterThan(Date.now());
    await lookAfter(id);
    expect((await stored(id)).renewAt!.getTime()).toBeGreaterThan(Date.now());
  });

  it('is not lost if the network refuses it, and cannot renew it now', async () => {
    const { owner, id } = await connected('twitter');
    networks.state.tokens.clear();
    networks.injectFault(1, { status: 503, text: '' });
    expect(await check(owner, id)).toEqual({
      health: 'UNREACHABLE',
      message: expect.stringMatching(/^The access to the account could not be renewed: /),
    });
    expect((await stored(id)).account.needsReauth).toBe(false);
    expect(await check(owner, id)).toEqual({ health: 'OK', message: null });
  });

  it('that has ended is unreachable until it is renewed', async () => {
    const { id } = await connected('twitter');
    networks.injectFault(0, { status: 503, text: '' });
    await lookAfter(id, { renewAt: new Date(0), expiresAt: new Date(Date.now() - 1_000) });
    expect((await stored(id)).problem).toMatch(/^The access to the account could not be renewed: /);
    await lookAfter(id);
    expect((await stored(id)).problem).toBeNull();
  });

  it('is asked about once a day, although it is renewed more often', async () => {
    const { id } = await connected('twitter');
    const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
    const recently = hoursAgo(1);
    await lookAfter(id, { renewAt: new Date(0), checkedAt: recently });
    expect((await stored(id)).checkedAt).toEqual(recently);
    await lookAfter(id, { renewAt: new Date(0), checkedAt: hoursAgo(25) });
    expect((await stored(id)).checkedAt!.getTime()).toBeGreaterThan(recently.getTime());
  });

  it('that ends is warned of 7 days and 1 day before, once each', async () => {
    networks.state.sendsRefreshTokens = false;
    const { id } = await connected('linkedin');
    for (const hours of [24 * 8, 24 * 6, 24 * 5, 23, 22])
      await lookAfter(id, { expiresAt: new Date(Date.now() + hours * 3_600_000) });
    const warnings = (await eventsOf(id)).filter((type) => type !== 'account.connected');
    expect(warnings).toEqual([
      'account.token_expiring',
      'notification.created',
      'account.token_expiring',
      'notification.created',
    ]);
  });
});

describe.each(
  OAUTH_CONSENTS.map((consent) => [`${consent.network} (${consent.way})`, consent] as const),
)('%s', (_name, consent) => {
  it('connects the account of the person who gave consent', async () => {
    const owner = await anOwner();
    const { status, accounts, error } = await connect(owner, consent);
    expect({ status, error }).toEqual({ status: 'CONNECTED', error: null });
    expect(accounts).toEqual([
      {
        id: expect.any(String),
        name: expect.stringContaining(consent.account.name),
        type: consent.account.type,
        connection: {
          method: 'OAUTH',
          health: 'OK',
          grantedScopes: consent.scopes.split(/[ ,]/),
          renewsItself: consent.renewsItself,
          expiresAt: consent.hasEnd ? expect.any(String) : null,
        },
      },
    ]);
    const [account] = accounts;
    const { checkAccount } = await run(
      owner,
      `mutation($id: ID!) { checkAccount(input: { id: $id }) { account { connection { health message } } userErrors { message } } }`,
      { id: account.id },
    );
    expect(checkAccount).toEqual({
      account: { connection: { health: 'OK', message: null } },
      userErrors: [],
    });
    // The same person again: the account is connected anew.
    expect((await connect(owner, consent, 'allow', account.id)).accounts).toMatchObject([
      { id: account.id },
    ]);
  });

  const failures: (readonly [string, Decision, string])[] = [
    ['a refusal', 'deny', 'CONSENT_DENIED'],
  ];
  if (consent.withheld !== null)
    failures.push(['fewer permissions than asked for', 'allow less', 'SCOPES_MISSING']);
  if (consent.inDevelopment !== null)
    failures.push(['an app that may not ask', 'in development', 'APP_NOT_APPROVED']);
  it.each(failures)('connects nothing after %s', async (_case, decision, code) => {
    const owner = await anOwner();
    expect(await connect(owner, consent, decision)).toMatchObject({
      status: 'FAILED',
      accounts: [],
      error: {
        code,
        ...(decision === 'allow less' && {
          message: expect.stringContaining(`Missing: ${consent.withheld}.`),
        }),
      },
    });
    expect(await credentialsOf(owner)).toBe(0);
  });

  it('takes a state and a code once', async () => {
    const owner = await anOwner();
    const { id, address } = await connect(owner, consent);
    const tokens = networks.state.tokens.size;
    expect(await comeBack(address)).toEqual({ connection: id, status: 'connected' });
    expect(networks.state.tokens.size).toBe(tokens);
    // The code with the state of another connection.
    const other = await anOwner();
    const { authorizeUrl } = await start(other, consent);
    const stolen = new URL(address);
    stolen.searchParams.set('state', new URL(authorizeUrl).searchParams.get('state')!);
    expect(await comeBack(stolen.href)).toMatchObject({ status: 'failed' });
    expect(await credentialsOf(other)).toBe(0);
  });

  it('takes no code of another network, and no state that has expired', async () => {
    const owner = await anOwner();
    const other = OAUTH_CONSENTS.find(({ network }) => network !== consent.network);
    const { authorizeUrl } = await start(owner, consent);
    if (other) {
      const foreign = new URL(
        await networks.answerPage((await start(owner, other)).authorizeUrl, 'allow'),
      );
      foreign.searchParams.set('state', new URL(authorizeUrl).searchParams.get('state')!);
      expect(await comeBack(foreign.href)).toMatchObject({ status: 'failed' });
    }
    const late = await start(owner, consent);
    const address = await networks.answerPage(late.authorizeUrl, 'allow');
    await gateway.db.prisma.pendingConnection.updateMany({ data: { expiresAt: new Date(0) } });
    expect(await comeBack(address)).toMatchObject({
      status: 'failed',
      code: 'CONNECTION_EXPIRED',
    });
    expect(await credentialsOf(owner)).toBe(0);
  });

  it('connects no account that another workspace has, and shows nothing to it', async () => {
    const [first, second] = [await anOwner(), await anOwner()];
    const { id } = await connect(first, consent);
    expect(await find(second, id)).toBeNull();
    expect((await connect(second, consent)).error).toMatchObject({ code: 'WRONG_IDENTITY' });
    expect(await credentialsOf(second)).toBe(0);
  });

  it('reconnects no account of another person', async () => {
    const owner = await anOwner();
    const { accounts } = await connect(owner, consent);
    networks.state.person = String((people += 1));
    expect((await connect(owner, consent, 'allow', accounts[0].id)).error).toMatchObject({
      code: 'WRONG_IDENTITY',
    });
  });

  it('says what follows from an answer without a refresh token', async () => {
    networks.state.sendsRefreshTokens = false;
    const owner = await anOwner();
    const { status, accounts, error } = await connect(owner, consent);
    if (consent.withoutRefreshToken === 'refused')
      expect({ status, error }).toMatchObject({
        status: 'FAILED',
        error: { code: 'RULE_VIOLATION', message: expect.stringMatching(/refresh token/) },
      });
    else
      expect(accounts[0].connection.renewsItself).toBe(consent.withoutRefreshToken === 'renewed');
  });

  if (consent.hasChoices) {
    it('lets the person choose some of several accounts', async () => {
      networks.state.accounts = 3;
      const owner = await anOwner();
      const { id, choices, ...connection } = await connect(owner, consent);
      expect(connection).toMatchObject({ status: 'CHOOSE', accounts: [], error: null });
      expect(choices.map(({ kind }: any) => kind)).toEqual(Array(3).fill(consent.account.type));
      expect(await credentialsOf(owner)).toBe(0);
      const chosen = [choices[0], choices[2]];
      const finished = await finish(
        owner,
        id,
        chosen.map((choice) => choice.id),
      );
      expect(finished).toMatchObject({
        connection: {
          status: 'CONNECTED',
          accounts: chosen.map(({ name }) => ({ name, connection: { health: 'OK' } })),
        },
        userErrors: [],
      });
      expect(await credentialsOf(owner)).toBe(2);
    });

    it('says that the person has no account that could be connected', async () => {
      networks.state.accounts = 0;
      expect((await connect(await anOwner(), consent)).error).toMatchObject({
        code: 'WRONG_ACCOUNT_KIND',
      });
    });
  }
});
