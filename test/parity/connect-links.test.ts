import { withGateway } from '../fixtures/gateway.js';
import { forAllTests } from '../fixtures/lifecycle.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { startOauthInstance } from '../networks/stand-ins/mastodon-oauth.js';

const instance = forAllTests(() => startOauthInstance(), 'close');
const gateway = withGateway({ networksAllowLoopback: true, rateLimit: 60 });
const HOUR = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

beforeEach(async () => {
  await gateway.db.prisma.accountCredential.deleteMany();
});

interface Link {
  readonly id: string;
  readonly networks: readonly string[];
  readonly expiresAt: string;
  readonly revoked: boolean;
}
interface Outcome {
  readonly link: Link | null;
  readonly url: string | null;
  readonly codes: readonly string[];
}

/** The requests of one API, with the names of GraphQL. */
interface LinkApi {
  create(as: KeyedViewer, input?: { networks?: string[]; expiresAt?: string }): Promise<Outcome>;
  revoke(as: KeyedViewer, id: string): Promise<Outcome>;
  list(as: KeyedViewer): Promise<readonly Link[]>;
}

const FIELDS = 'id networks expiresAt revoked';
async function mutate(as: KeyedViewer, name: string, input: object): Promise<Outcome> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const url = name.startsWith('create') ? 'url' : '';
  const query = `mutation($input: ${type}!) { result: ${name}(input: $input) { link { ${FIELDS} } ${url} userErrors { code } } }`;
  const { body } = await gateway.graphql(query, { input }, { as });
  const { link, url: address = null, userErrors } = body.data.result;
  return { link, url: address, codes: userErrors.map(({ code }: { code: string }) => code) };
}
const graphqlApi: LinkApi = {
  create: (as, input = {}) => mutate(as, 'createConnectLink', input),
  revoke: (as, id) => mutate(as, 'revokeConnectLink', { id }),
  list: async (as) =>
    (await gateway.graphql(`{ connectLinks { ${FIELDS} } }`, {}, { as })).body.data.connectLinks,
};

const fromV1 = ({ networks, expires_at: expiresAt, ...link }: any): Link => ({
  ...link,
  networks: networks.map((name: string) => name.toUpperCase()),
  expiresAt,
});
const restApi: LinkApi = {
  async create(as, { networks, expiresAt } = {}) {
    const { status, body } = await gateway.v1('POST', '/connect-links', {
      as,
      body: { networks: networks?.map((name) => name.toLowerCase()), expires_at: expiresAt },
    });
    return status === 200
      ? { link: fromV1(body.link), url: body.url, codes: [] }
      : { link: null, url: null, codes: [body.code] };
  },
  async revoke(as, id) {
    const { status, body } = await gateway.v1('DELETE', `/connect-links/${id}`, { as });
    return status === 200
      ? { link: fromV1(body), url: null, codes: [] }
      : { link: null, url: null, codes: [body.code] };
  },
  list: async (as) => (await gateway.v1('GET', '/connect-links', { as })).body.links.map(fromV1),
};

describe.each([
  ['GraphQL', graphqlApi],
  ['REST v1', restApi],
])('%s', (_name, api) => {
  it('creates, lists and revokes links', async () => {
    const owner = await gateway.records.aViewer();
    const { link, url, codes } = await api.create(owner, { networks: ['MASTODON', 'BLUESKY'] });
    expect(codes).toEqual([]);
    expect(link).toEqual({
      id: expect.stringMatching(/^lnk_\w{16}$/),
      networks: ['MASTODON', 'BLUESKY'],
      expiresAt: expect.any(String),
      revoked: false,
    });
    const hours = (Date.parse(link!.expiresAt) - Date.now()) / HOUR;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    expect(url).toMatch(new RegExp(`^${gateway.url}/connect/link#spl_[\\w-]{43}$`));
    // only a hash of the secret is stored
    const [row] = await gateway.db.prisma.connectLink.findMany({ where: { id: link!.id } });
    expect(JSON.stringify(row)).not.toContain(url!.split('#')[1]);

    const sooner = await api.create(owner, { expiresAt: inHours(1) });
    expect(sooner.link!.networks).toEqual(expect.arrayContaining(['TELEGRAM', 'WORDPRESS']));
    expect(await api.list(owner)).toEqual([sooner.link, link]);
    expect(await api.revoke(owner, link!.id)).toEqual({
      link: { ...link, revoked: true },
      url: null,
      codes: [],
    });
    expect((await api.revoke(owner, link!.id)).link!.revoked).toBe(true);
    expect(await api.list(owner)).toEqual([sooner.link]);
  });

  it('refuses other roles, other workspaces and bad input', async () => {
    const owner = await gateway.records.aViewer();
    const editor = await gateway.records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'editor',
    });
    const { link } = await api.create(owner);
    const refused = await Promise.all([
      api.create(editor),
      api.revoke(editor, link!.id),
      api.revoke(await gateway.records.aViewer(), link!.id),
      api.create(owner, { expiresAt: inHours(25) }),
      api.create(owner, { expiresAt: inHours(-1) }),
    ]);
    expect(refused.map(({ codes }) => codes)).toEqual([
      ['FORBIDDEN'],
      ['FORBIDDEN'],
      ['RULE_VIOLATION'],
      ['RULE_VIOLATION'],
      ['RULE_VIOLATION'],
    ]);
    expect(await api.list(owner)).toEqual([link]);
  });
});

/** A person with a link: what its page sends. */
function holderOf(url: string) {
  const secret = url.split('#')[1]!;
  return async (
    method: 'GET' | 'POST',
    path: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers: {
        Authorization: `Connect-Link ${secret}`,
        Origin: gateway.url,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const cookie = response.headers.get('set-cookie')?.split(';')[0];
    return { status: response.status, cookie, body: (await response.json()) as any };
  };
}
const newLink = async (as: KeyedViewer, input: { networks?: string[] } = {}) => {
  const { link, url } = await graphqlApi.create(as, input);
  return { id: link!.id, send: holderOf(url!) };
};
const target = () => ({ network: 'mastodon', server: instance.url });

/** Follows the address like a browser. Returns where it is sent on. */
async function comeBack(address: string, cookie = ''): Promise<URL> {
  const response = await fetch(address, { redirect: 'manual', headers: { Cookie: cookie } });
  return new URL(response.headers.get('location')!);
}

it('a person with a link connects their account, and nothing else is told to them', async () => {
  const owner = await gateway.records.aViewer();
  const { send } = await newLink(owner, { networks: ['MASTODON', 'TELEGRAM'] });
  const offers = await send('GET', '/connect/link/offers');
  expect(offers.body).toMatchObject({
    workspace: owner.workspace.name,
    networks: [
      { network: 'mastodon', connects: ['oauth', 'credentials'] },
      { network: 'telegram', connects: ['credentials'] },
    ],
  });
  const { body, cookie } = await send('POST', '/connect/link/connections', { body: target() });
  expect(Object.keys(body)).toEqual(['authorize_url']);
  const sentOn = await comeBack(instance.answerPage(body.authorize_url, 'allow'), cookie);
  expect(`${sentOn.origin}${sentOn.pathname}`).toBe(`${gateway.url}/connect/link`);
  expect(sentOn.searchParams.get('status')).toBe('connected');
  const id = sentOn.searchParams.get('connection')!;
  const connection = await send('GET', `/connect/link/connections/${id}`);
  expect(connection.body).toEqual({
    id,
    network: 'mastodon',
    status: 'connected',
    choices: [],
    accounts: [expect.stringMatching(/^@kiosk109@/)],
    error: null,
  });
  expect(
    (await send('POST', `/connect/link/connections/${id}`, { body: { choices: ['1'] } })).status,
  ).toBe(422);
  // the account belongs to the workspace, and its event names the link's page
  const query = '{ accounts(first: 5) { name } }';
  expect((await gateway.graphql(query, {}, { as: owner })).body.data.accounts).toHaveLength(1);
  const events = await gateway.db.pool.query(
    `SELECT user_id AS "user", key_id AS key, api FROM event WHERE workspace_id = $1 AND type = 'account.connected'`,
    [owner.workspace.id],
  );
  expect(events.rows).toEqual([{ user: owner.user.id, key: null, api: 'link' }]);
});

it('a link connects by credentials, which are read like those of members', async () => {
  const { send } = await newLink(await gateway.records.aViewer(), { networks: ['MASTODON'] });
  const credentials = [
    { name: 'instance', value: instance.url },
    { name: 'accessToken', value: 'wrong' },
  ];
  const connect = (body: object) => send('POST', '/connect/link/accounts', { body });
  expect(await connect({ network: 'mastodon', credentials })).toMatchObject({
    status: 422,
    body: { code: 'RULE_VIOLATION' },
  });
  expect(await connect({ network: 'mastodon', credentials: [] })).toMatchObject({ status: 400 });
  expect(await connect({ network: 'bluesky', credentials })).toMatchObject({
    status: 400,
  });
});

describe('a link reaches nothing else', () => {
  it('not the APIs, other workspaces, or connections that it did not start', async () => {
    const owner = await gateway.records.aViewer();
    const { send } = await newLink(owner);
    for (const path of ['/v1/accounts', '/v1/connect-links', '/sandbox/timelines', '/graphql'])
      expect([path, (await send('GET', path)).status]).toEqual([path, 401]);
    const started = await gateway.v1('POST', '/connections', { as: owner, body: target() });
    const other = await newLink(owner);
    const byOther = await other.send('POST', '/connect/link/connections', { body: target() });
    const back = await comeBack(
      instance.answerPage(byOther.body.authorize_url, 'deny'),
      byOther.cookie,
    );
    const theirs = [started.body.id as string, back.searchParams.get('connection')!, 'con_none'];
    for (const id of theirs) {
      const path = `/connect/link/connections/${id}`;
      expect((await send('GET', path)).body.code).toBe('CONNECTION_NOT_FOUND');
      const finished = await send('POST', path, { body: { choices: ['1'] } });
      expect(finished.body.code).toBe('CONNECTION_NOT_FOUND');
    }
    expect((await gateway.v1('GET', `/connections/${theirs[1]}`, { as: owner })).status).toBe(404);
  });

  it('no network, account or return address that it does not name', async () => {
    const { send } = await newLink(await gateway.records.aViewer(), { networks: ['BLUESKY'] });
    const start = (body: object) => send('POST', '/connect/link/connections', { body });
    expect((await start(target())).body.code).toBe('FORBIDDEN');
    for (const more of [{ account_id: 'acc_1' }, { return_url: 'https://evil.example/' }])
      expect((await start({ ...target(), ...more })).status).toBe(400);
  });

  it('no other browser: its address of consent cannot be given to another person', async () => {
    const { send } = await newLink(await gateway.records.aViewer());
    const start = (headers: Record<string, string>) =>
      send('POST', '/connect/link/connections', { body: target(), headers });
    for (const Origin of ['https://evil.example', 'null', ''])
      expect((await start({ Origin })).body.code).toBe('FORBIDDEN');
    const { body } = await start({});
    const sentOn = await comeBack(instance.answerPage(body.authorize_url, 'allow'));
    expect(sentOn.href).toBe(`${gateway.url}/connect/link?status=failed&code=FORBIDDEN`);
    expect(await gateway.db.prisma.accountCredential.count()).toBe(0);
  });
});

describe('a link ends', () => {
  /** Ends a link after it started a connection, whose person comes back. */
  it.each<[string, (link: string, owner: KeyedViewer) => Promise<unknown>]>([
    ['when it is revoked', (id, owner) => restApi.revoke(owner, id)],
    [
      'when it expires',
      (id) =>
        gateway.db.prisma.connectLink.update({ where: { id }, data: { expiresAt: new Date(0) } }),
    ],
    [
      'when the key that created it is revoked',
      (_id, { key }) =>
        gateway.db.prisma.apiKey.update({ where: { id: key.id }, data: { revokedAt: new Date() } }),
    ],
    [
      'when its creator may no longer connect accounts',
      (_id, { user, workspace }) =>
        gateway.db.prisma.membership.updateMany({
          where: { userId: user.id, workspaceId: workspace.id },
          data: { role: 'editor' },
        }),
    ],
  ])('%s', async (_name, end) => {
    const owner = await gateway.records.aViewer();
    const admin = await gateway.records.aViewer({ workspaceId: owner.workspace.id, role: 'admin' });
    const { id, send } = await newLink(admin);
    expect((await send('GET', '/connect/link/offers')).status).toBe(200);
    await end(id, admin);
    expect(await send('GET', '/connect/link/offers')).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED', message: expect.stringMatching(/^This link is incomplete/) },
    });
    expect((await send('POST', '/connect/link/connections', { body: target() })).status).toBe(401);
  });

  it('together with what it started', async () => {
    const owner = await gateway.records.aViewer();
    const { id, send } = await newLink(owner);
    const { body, cookie } = await send('POST', '/connect/link/connections', { body: target() });
    await graphqlApi.revoke(owner, id);
    const sentOn = await comeBack(instance.answerPage(body.authorize_url, 'allow'), cookie);
    expect(sentOn.searchParams.get('status')).toBe('failed');
    expect(await gateway.db.prisma.accountCredential.count()).toBe(0);
  });
});

it('limits what a link can start, apart from the members and other links', async () => {
  const owner = await gateway.records.aViewer();
  const { send } = await newLink(owner);
  const start = () => send('POST', '/connect/link/connections', { body: target() });
  const outcomes = await Promise.all(Array.from({ length: 7 }, start));
  expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(
    (await gateway.v1('POST', '/connections', { as: owner, body: target() })).body.status,
  ).toBe('started');
  const rest = await Promise.all(
    Array.from({ length: 60 }, () => send('GET', '/connect/link/offers')),
  );
  expect(rest.filter(({ status }) => status === 429)).toHaveLength(7);
  expect((await gateway.v1('GET', '/connect-links', { as: owner })).status).toBe(200);
});
