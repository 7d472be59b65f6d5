import { aMastodonInstance } from '../fixtures/mastodon-instance.js';
import { withGateway } from '../fixtures/gateway.js';
import { forAllTests } from '../fixtures/lifecycle.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { startTelegram } from '../networks/stand-ins/telegram.js';
import { hostsAt } from '../networks/stand-ins/official-hosts.js';

const TOKEN = 'tok-7f1c0ffee-of-the-kiosk';
const BOT_TOKEN = '123456:telegram-bot-token';

const telegram = forAllTests(() => startTelegram({}), 'close');
const instance = forAllTests(() => aMastodonInstance({ token: TOKEN }), 'close');
/** The hosts are known when the stand-in has started, after the gateway is described. */
const networkHosts: Record<string, string> = {};
const gateway = withGateway({ networksAllowLoopback: true, networkHosts });
beforeAll(() => Object.assign(networkHosts, hostsAt(telegram.url)));

/** What both APIs return: an account with its connection, or the codes and messages of a refusal. */
interface Outcome {
  readonly account: Record<string, unknown> | null;
  readonly errors: readonly { readonly code: string; readonly message: string }[];
}
type Credential = { name: string; value: string };

/** The requests of one API. */
interface ConnectionApi {
  connect(
    as: KeyedViewer,
    network: string,
    credentials: readonly Credential[],
    accountId?: string,
  ): Promise<Outcome>;
  disconnect(as: KeyedViewer, id: string): Promise<Outcome>;
  check(as: KeyedViewer, id: string): Promise<Outcome>;
}

const ACCOUNT =
  'account { id provider name socialId type connection { method health message grantedScopes expiresAt renewsItself checkedAt } }';

const graphqlApi: ConnectionApi = {
  connect: (as, network, credentials, accountId) =>
    mutate(as, 'connectAccount', {
      network: network.toUpperCase(),
      credentials,
      accountId,
    }),
  disconnect: (as, id) => mutate(as, 'disconnectAccount', { id }),
  check: (as, id) => mutate(as, 'checkAccount', { id }),
};

async function mutate(as: KeyedViewer, name: string, input: object): Promise<Outcome> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { result: ${name}(input: $input) { ${ACCOUNT} userErrors { code message } } }`;
  const { body } = await gateway.graphql(query, { input }, { as });
  if (body.errors)
    return {
      account: null,
      errors: body.errors.map(({ message, extensions: { code } }: any) => ({ code, message })),
    };
  const { account, userErrors } = body.data.result;
  return {
    account: account && { ...account, provider: account.provider.toLowerCase() },
    errors: userErrors,
  };
}

const restApi: ConnectionApi = {
  connect: (as, network, credentials, accountId) =>
    send(as, 'POST', '/accounts/connect', {
      network,
      credentials,
      ...(accountId !== undefined && { account_id: accountId }),
    }),
  disconnect: (as, id) => send(as, 'DELETE', `/accounts/${id}/connection`),
  check: (as, id) => send(as, 'POST', `/accounts/${id}/check`),
};

const camel = (value: unknown): unknown =>
  Array.isArray(value) || typeof value !== 'object' || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value).map(([key, one]) => [
          key.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
          camel(one),
        ]),
      );

async function send(
  as: KeyedViewer,
  method: string,
  path: string,
  body?: object,
): Promise<Outcome> {
  const response = await gateway.v1(method, path, { as, ...(body && { body }) });
  if (response.status !== 200)
    return {
      account: null,
      errors: response.body.errors.map((message: string) => ({
        code: response.body.code,
        message,
      })),
    };
  const { picture: _picture, connection, ...account } = camel(response.body) as any;
  const upper = (text: string): string => text.toUpperCase();
  return {
    account: {
      ...account,
      connection: connection && {
        ...connection,
        method: upper(connection.method),
        health: upper(connection.health),
      },
    },
    errors: [],
  };
}

const mastodon = (accessToken = TOKEN): Credential[] => [
  { name: 'instance', value: instance.url },
  { name: 'accessToken', value: accessToken },
];
const storedCredentials = (): Promise<number> => gateway.db.prisma.accountCredential.count();
const aWorkspace = (): Promise<KeyedViewer> => gateway.records.aViewer();
const eventsOf = async (accountId: string): Promise<unknown[]> =>
  (
    await gateway.db.pool.query(
      "SELECT type, user_id, api FROM event WHERE account_id = $1 AND type LIKE 'account.%' ORDER BY sequence",
      [accountId],
    )
  ).rows as unknown[];

describe.each([
  ['graphql', graphqlApi],
  ['rest', restApi],
] as const)('%s', (name, api) => {
  beforeEach(async () => {
    instance.accept();
    await gateway.db.prisma.accountCredential.deleteMany();
  });

  it('connects an account, checks it, and disconnects it', async () => {
    const owner = await aWorkspace();
    const { account, errors } = await api.connect(owner, 'mastodon', mastodon());
    const { host } = new URL(instance.url);
    expect(errors).toEqual([]);
    expect(account).toEqual({
      id: expect.stringMatching(/^acc_\w{16}$/),
      provider: 'mastodon',
      name: `@kiosk@${host}`,
      socialId: `109@${host}`,
      type: 'profile',
      connection: {
        method: 'CREDENTIALS',
        health: 'OK',
        message: null,
        grantedScopes: [],
        expiresAt: null,
        renewsItself: false,
        checkedAt: expect.any(String),
      },
    });
    const id = account!['id'] as string;
    expect(await api.check(owner, id)).toMatchObject({ account: { connection: { health: 'OK' } } });
    expect(await api.disconnect(owner, id)).toMatchObject({
      account: {
        id,
        connection: { health: 'DISCONNECTED', message: 'The account is not connected.' },
      },
      errors: [],
    });
    expect(await storedCredentials()).toBe(0);
    const by = { user_id: owner.user.id, api: name };
    expect(await eventsOf(id)).toEqual([
      { type: 'account.connected', ...by },
      { type: 'account.disconnected', ...by },
    ]);
    expect(await api.check(owner, id)).toEqual({
      account: null,
      errors: [{ code: 'RULE_VIOLATION', message: 'The account is not connected.' }],
    });
  });

  it('connects a Telegram channel', async () => {
    const owner = await aWorkspace();
    expect(
      await api.connect(owner, 'telegram', [
        { name: 'botToken', value: BOT_TOKEN },
        { name: 'chatId', value: '@kiosk' },
      ]),
    ).toMatchObject({ account: { provider: 'telegram', type: 'channel' }, errors: [] });
  });

  it('marks an account whose credentials the network rejects, and its reconnection', async () => {
    const owner = await aWorkspace();
    const { account } = await api.connect(owner, 'mastodon', mastodon());
    const id = account!['id'] as string;
    const post = await gateway.records.aPost({
      by: owner,
      account: { id, network: 'mastodon' } as never,
      storedState: 'scheduled',
    });
    instance.revoke();
    expect(await api.check(owner, id)).toMatchObject({
      account: {
        connection: {
          health: 'NEEDS_REAUTHORIZATION',
          message: expect.stringMatching(/^Mastodon rejected the account’s credentials/),
        },
      },
      errors: [],
    });
    const stateOf = async (): Promise<number> =>
      (await gateway.db.prisma.post.findUniqueOrThrow({ where: { docId: post.id } })).storedState;
    expect(await stateOf()).toBe(5);
    instance.accept();
    expect(await api.connect(owner, 'mastodon', mastodon(), id)).toMatchObject({
      account: { id, connection: { health: 'OK' } },
    });
    expect(await stateOf()).toBe(1);
    expect((await eventsOf(id)).map(({ type }: any) => type)).toEqual([
      'account.connected',
      'account.needs_reauthorization',
      'account.connected',
    ]);
  });

  it('tells what a network answers that cannot be reached', async () => {
    const owner = await aWorkspace();
    const { account } = await api.connect(owner, 'mastodon', mastodon());
    instance.fail();
    expect(await api.check(owner, account!['id'] as string)).toMatchObject({
      account: {
        connection: { health: 'UNREACHABLE', message: 'Mastodon is unavailable (500): Try later.' },
      },
    });
    instance.accept();
  });

  it('refuses an account that is connected in another workspace', async () => {
    const owner = await aWorkspace();
    await api.connect(owner, 'mastodon', mastodon());
    const other = await aWorkspace();
    expect(await api.connect(other, 'mastodon', mastodon())).toEqual({
      account: null,
      errors: [
        {
          code: 'WRONG_IDENTITY',
          message:
            'This Mastodon account is connected in another workspace. Disconnect it there first.',
        },
      ],
    });
    expect(await storedCredentials()).toBe(1);
    expect(
      await gateway.db.prisma.account.count({ where: { workspaceId: other.workspace.id } }),
    ).toBe(0);
  });

  it('refuses the credentials of another account than the one to reconnect', async () => {
    const owner = await aWorkspace();
    const blog = await gateway.records.anAccount({
      workspaceId: owner.workspace.id,
      network: 'wordpress',
    });
    const { account } = await api.connect(owner, 'mastodon', mastodon());
    const other = await gateway.records.anAccount({ workspaceId: owner.workspace.id });
    expect(await api.connect(owner, 'mastodon', mastodon(), blog.id)).toMatchObject({
      errors: [
        {
          code: 'WRONG_IDENTITY',
          message: `${blog.id} is an account on WordPress, not on Mastodon.`,
        },
      ],
    });
    expect(await api.connect(owner, 'mastodon', mastodon(), other.id)).toMatchObject({
      errors: [
        {
          code: 'WRONG_IDENTITY',
          message: expect.stringContaining(`which is the account ${account!['id'] as string} of`),
        },
      ],
    });
    expect(await storedCredentials()).toBe(1);
  });

  it('stores nothing that the network rejects, and repeats no secret', async () => {
    const owner = await aWorkspace();
    const outcome = await api.connect(owner, 'mastodon', mastodon('wrong-token-0815'));
    expect(outcome).toEqual({
      account: null,
      errors: [
        {
          code: 'RULE_VIOLATION',
          message: expect.stringMatching(/NETWORK_REAUTHORIZATION_NEEDED/),
        },
      ],
    });
    expect(JSON.stringify(outcome)).not.toContain('wrong-token-0815');
    const odd = await api.connect(owner, 'mastodon', mastodon('token-with-ü€'));
    expect(odd.errors).toMatchObject([
      { code: 'BAD_USER_INPUT', message: expect.stringMatching(/all of them ASCII/) },
    ]);
    expect(await storedCredentials()).toBe(0);
  });

  it.each<[string, string, Credential[], RegExp]>([
    ['a missing credential', 'mastodon', [{ name: 'instance', value: 'x' }], /needs accessToken/],
    [
      'an unknown one',
      'bluesky',
      [{ name: 'password', value: 'x' }],
      /no such credential. Allowed: service, handle, appPassword/,
    ],
    [
      'a repeated one',
      'telegram',
      [
        { name: 'botToken', value: 'x' },
        { name: 'botToken', value: 'y' },
      ],
      /botToken occurs more than once/,
    ],
  ])('rejects %s with its field', async (_name, network, credentials, message) => {
    const { errors } = await api.connect(await aWorkspace(), network, credentials);
    expect(errors[0]).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(errors.map((error) => error.message).join('\n')).toMatch(message);
  });

  it.each(['editor', 'viewer'] as const)('refuses everything to %ss', async (role) => {
    const owner = await aWorkspace();
    const { account } = await api.connect(owner, 'mastodon', mastodon());
    const id = account!['id'] as string;
    const member = await gateway.records.aViewer({ workspaceId: owner.workspace.id, role });
    for (const outcome of [
      await api.connect(member, 'mastodon', mastodon()),
      await api.disconnect(member, id),
      await api.check(member, id),
    ])
      expect(outcome).toMatchObject({ account: null, errors: [{ code: 'FORBIDDEN' }] });
    expect(await storedCredentials()).toBe(1);
  });

  it('knows no account of another workspace', async () => {
    const { account } = await api.connect(await aWorkspace(), 'mastodon', mastodon());
    const id = account!['id'] as string;
    const other = await aWorkspace();
    for (const outcome of [await api.disconnect(other, id), await api.check(other, id)])
      expect(outcome).toEqual({
        account: null,
        errors: [{ code: 'RULE_VIOLATION', message: `The workspace has no account "${id}".` }],
      });
    expect(await storedCredentials()).toBe(1);
  });

  it('needs the scope connections', async () => {
    const { user, workspace, ...rest } = await aWorkspace();
    const apiKey = await gateway.records.aKey({
      userId: user.id,
      scopes: ['workspaces', 'accounts', 'posts', 'media', 'webhooks'],
    });
    const as = { ...rest, user, workspace, apiKey };
    for (const outcome of [
      await api.connect(as, 'mastodon', mastodon()),
      await api.disconnect(as, 'acc_1'),
      await api.check(as, 'acc_1'),
    ])
      expect(outcome.errors).toMatchObject([{ code: 'MISSING_SCOPE' }]);
  });
});

it('connects one of two accounts with the same identity that are created at once', async () => {
  await gateway.db.prisma.accountCredential.deleteMany();
  const owner = await aWorkspace();
  const others = await Promise.all([aWorkspace(), aWorkspace()]);
  const outcomes = await Promise.all(
    [owner, owner, ...others].map((as) => graphqlApi.connect(as, 'mastodon', mastodon())),
  );
  const connected = outcomes.filter(({ account }) => account !== null);
  expect(await storedCredentials()).toBe(1);
  expect(new Set(connected.map(({ account }) => account!['id'])).size).toBe(1);
  expect(outcomes.flatMap(({ errors }) => errors.map(({ code }) => code))).toEqual(
    Array(4 - connected.length).fill('WRONG_IDENTITY'),
  );
});
