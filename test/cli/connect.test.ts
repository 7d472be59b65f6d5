import { randomBytes } from 'node:crypto';
import type { TerminalInput } from '../../src/cli/terminal-input.js';
import { createCredentialKeys } from '../../src/persistence/credentials/credential-keys.js';
import { createCredentialStore } from '../../src/persistence/credentials/credential-store.js';
import { anInstance } from '../fixtures/mastodon-instance.js';
import { anOperator, answering, piped, type Said } from '../fixtures/operator.js';
import { recordsIn, type Records } from '../fixtures/records.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

const TOKEN = 'tok-7f1c0ffee-of-the-kiosk';
const key = randomBytes(32);

let db: TestDatabase;
let records: Records;
let workspaceId: string;
let instance: Awaited<ReturnType<typeof anInstance>>;
let env: NodeJS.ProcessEnv = {};
let input: TerminalInput = piped('');
const { cli, json } = anOperator(
  () => ({
    DATABASE_URL: db.url,
    CREDENTIALS_KEY: key.toString('hex'),
    NETWORKS_ALLOW_LOOPBACK: '1',
    ...env,
  }),
  () => input,
);
const connect = (...more: string[]): Promise<Said> =>
  cli('accounts', 'connect', 'mastodon', '--workspace', workspaceId, ...more);
const credentialsOf = (id: string) =>
  createCredentialStore(db.prisma, createCredentialKeys({ configured: [key], keyFile: null })).open(
    id,
  );
const accounts = () =>
  db.prisma.account.findMany({ where: { workspaceId }, orderBy: { createdAt: 'asc' } });
const inEnvironment = (accessToken = TOKEN) => ({
  CONNECT_MASTODON_INSTANCE: instance.url,
  CONNECT_MASTODON_ACCESS_TOKEN: accessToken,
});

beforeAll(async () => {
  db = await testDatabase();
  records = recordsIn(db);
  instance = await anInstance({ token: TOKEN });
});
beforeEach(async () => {
  ({ id: workspaceId } = await records.aWorkspace());
  [env, input] = [{}, piped('')];
  instance.asked.length = 0;
});
afterAll(async () => {
  await instance.close();
  await db.drop();
});

describe('an account is connected', () => {
  const host = (): string => new URL(instance.url).host;

  it('with what the environment holds: the network is asked whose it is, then it is made, and its credentials are sealed', async () => {
    env = inEnvironment();
    const made = await json('accounts', 'connect', 'mastodon', '--workspace', workspaceId);
    expect(instance.asked).toEqual(['GET /api/v1/accounts/verify_credentials']);
    expect(await accounts()).toMatchObject([
      {
        id: made.id,
        name: `@kiosk@${host()}`,
        network: 'mastodon',
        type: 'profile',
        picture: 'https://files.example/kiosk.png',
        needsReauth: false,
        sandbox: false,
      },
    ]);
    expect(made).toMatchObject({ name: `@kiosk@${host()}`, isNew: true, restored: 0 });
    expect(await credentialsOf(made.id)).toEqual({ instance: instance.url, accessToken: TOKEN });
    expect(JSON.stringify(made)).not.toContain(TOKEN);
  });

  it('with a JSON object on standard input', async () => {
    input = piped(JSON.stringify({ instance: instance.url, accessToken: `${TOKEN}\n` }));
    expect(await connect('--stdin', '--name', 'Our Kiosk')).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(/^Account Our Kiosk \(.+\) is connected: acc_\w{16}\.$/),
    });
    const [account] = await accounts();
    expect(await credentialsOf(account!.id)).toEqual({
      instance: instance.url,
      accessToken: TOKEN,
    });
  });

  it('with what somebody answers, secrets unseen, and without asking what the environment tells', async () => {
    const someone = answering(instance.url, TOKEN);
    input = someone.input;
    expect((await connect()).code).toBe(0);
    expect(
      someone.asked.map(({ question, isHidden }) => [question.split('\n')[1], isHidden]),
    ).toEqual([
      ['instance: ', false],
      ['accessToken (not shown): ', true],
    ]);
    env = { CONNECT_MASTODON_INSTANCE: instance.url };
    const again = answering(TOKEN);
    input = again.input;
    expect((await connect()).out).toMatch(/^Known account/);
    expect(again.asked).toHaveLength(1);
  });
});

it('is another account where another instance counts the same', async () => {
  const other = await anInstance({ token: 'another-token', acct: 'other' });
  env = inEnvironment();
  const first = await json('accounts', 'connect', 'mastodon', '--workspace', workspaceId);
  env = { CONNECT_MASTODON_INSTANCE: other.url, CONNECT_MASTODON_ACCESS_TOKEN: 'another-token' };
  const second = await json('accounts', 'connect', 'mastodon', '--workspace', workspaceId);
  expect([first.socialId, second.socialId]).toEqual([
    `109@${new URL(instance.url).host}`,
    `109@${new URL(other.url).host}`,
  ]);
  expect(await credentialsOf(first.id)).toMatchObject({ accessToken: TOKEN });
  await other.close();
});

describe('connecting again', () => {
  beforeEach(() => {
    env = inEnvironment();
  });

  it('keeps the account, its name and type, replaces the credentials and ends its need of reauthorization: its posts are planned again', async () => {
    const { id } = await json(
      'accounts',
      'connect',
      'mastodon',
      '--workspace',
      workspaceId,
      '--name',
      'Ours',
    );
    await db.prisma.account.update({ where: { id }, data: { needsReauth: true, type: 'page' } });
    const by = await records.aViewer({ workspaceId, role: 'admin' });
    const account = await db.prisma.account.findUniqueOrThrow({ where: { id } });
    const waiting = await records.aPost({ by, account, cell: 'scheduled_reauth' });
    const recycled = await records.aPost({ by, account, cell: 'recycling_reauth' });
    const draft = await records.aPost({ by, account, cell: 'draft_dated' });
    await createCredentialStore(
      db.prisma,
      createCredentialKeys({ configured: [key], keyFile: null }),
    ).seal(id, { accessToken: 'old' });

    expect(await json('accounts', 'connect', 'mastodon', '--workspace', workspaceId)).toMatchObject(
      { id, name: 'Ours', isNew: false, restored: 2 },
    );
    expect(await accounts()).toMatchObject([
      { id, name: 'Ours', type: 'page', needsReauth: false },
    ]);
    expect(await credentialsOf(id)).toMatchObject({ accessToken: TOKEN });
    const cells = await db.prisma.post.findMany({
      where: { id: { in: [waiting, recycled, draft].map(({ databaseId }) => BigInt(databaseId)) } },
      select: { cell: true, version: true },
      orderBy: { id: 'asc' },
    });
    expect(cells).toEqual([
      { cell: 1, version: 2 },
      { cell: 40, version: 2 },
      { cell: 20, version: 1 },
    ]);
  });

  it('gives one that was only a record the network’s own id', async () => {
    const record = await records.anAccount({ workspaceId, name: 'Record', socialId: 'kiosk' });
    expect(
      await json(
        'accounts',
        'connect',
        'mastodon',
        '--workspace',
        workspaceId,
        '--account',
        record.id,
      ),
    ).toMatchObject({ id: record.id, isNew: false });
    const [account, ...others] = await accounts();
    expect([account!.name, account!.socialId === 'kiosk', others]).toEqual(['Record', false, []]);
  });

  it('is refused for an account that is somebody else’s, elsewhere, of another network, unknown or of the sandbox', async () => {
    const { id: connected } = await json(
      'accounts',
      'connect',
      'mastodon',
      '--workspace',
      workspaceId,
    );
    const other = await anInstance({ token: 'another-token', id: '110', acct: 'other' });
    const { id: elsewhere } = await records.anAccount({
      workspaceId: (await records.aWorkspace()).id,
    });
    const { id: blog } = await records.anAccount({
      workspaceId,
      network: 'wordpress',
      type: 'blog',
    });
    const { id: sandbox } = await records.anAccount({ workspaceId, sandbox: true });
    const refusals: string[] = [];
    for (const id of [elsewhere, blog, sandbox, 'acc_none'])
      refusals.push((await connect('--account', id)).err);
    env = { CONNECT_MASTODON_INSTANCE: other.url, CONNECT_MASTODON_ACCESS_TOKEN: 'another-token' };
    refusals.push((await connect('--account', connected)).err);
    expect(refusals).toEqual([
      `error: ${elsewhere} is an account of another workspace`,
      `error: ${blog} is an account of wordpress`,
      `error: ${sandbox} lives on the sandbox network and needs no credentials`,
      'error: There is no account "acc_none"',
      expect.stringMatching(
        /^error: These are the credentials of @other@.+, and acc_\w+ is @kiosk@/,
      ),
    ]);
    expect(await credentialsOf(connected)).toMatchObject({ accessToken: TOKEN });
    expect(
      await db.prisma.accountCredential.count({
        where: { accountId: { in: [elsewhere, blog, sandbox] } },
      }),
    ).toBe(0);
    await other.close();
  });
});

describe('nothing is connected', () => {
  const nothing = async (said: Said, code: number, err: string): Promise<void> => {
    expect(said).toEqual({ code, out: '', err: expect.stringContaining(err) });
    expect(await accounts()).toEqual([]);
    expect(said.err).not.toMatch(/tok-|wrong-token/);
  };

  it('that the network does not take, and no secret is told, though the network repeats it', async () => {
    env = inEnvironment('wrong-token-0815');
    await nothing(await connect(), 1, '(NETWORK_REAUTHORIZATION_NEEDED)');
  });

  it('that was not told whole: what is missing is named with every way to tell it', async () => {
    await nothing(
      await connect(),
      1,
      'mastodon needs instance, accessToken: answer in a terminal, set CONNECT_MASTODON_INSTANCE, CONNECT_MASTODON_ACCESS_TOKEN, or give a JSON object on standard input with --stdin',
    );
    expect(instance.asked).toEqual([]);
  });

  it.each([
    [
      `{"accessToken": "${TOKEN}"`,
      'Standard input is not a JSON object with instance, accessToken',
    ],
    [`["${TOKEN}"]`, 'Standard input is not a JSON object with instance, accessToken'],
    [
      `{"instance": "x", "acessToken": "${TOKEN}"}`,
      'Standard input has "acessToken"; texts for instance, accessToken are asked for',
    ],
    [
      '{"instance": "x", "accessToken": 815}',
      'Standard input has "accessToken"; texts for instance, accessToken are asked for',
    ],
  ])('where standard input is %s', async (text, message) => {
    input = piped(text);
    await nothing(await connect('--stdin'), 1, message);
  });

  it.each([
    [
      'a secret on the command line',
      ['--access-token', TOKEN.slice(4)],
      2,
      "unknown option '--access-token'",
    ],
    [
      'a workspace that is not there',
      ['--workspace', 'wks_none'],
      1,
      'There is no workspace "wks_none"',
    ],
  ] as const)('with %s', async (_what, more, code, message) =>
    nothing(await connect(...more), code, message),
  );

  it('on a network where nothing but labels changes', async () => {
    await nothing(
      await cli('accounts', 'connect', 'bluesky', '--workspace', workspaceId),
      2,
      'Allowed choices are facebook, mastodon, linkedin, google, youtube, wordpress, telegram',
    );
  });

  it('without a key on a database of one’s own, which is said before anything is asked', async () => {
    env = { CREDENTIALS_KEY: '' };
    const someone = answering(instance.url, TOKEN);
    input = someone.input;
    await nothing(await connect(), 1, 'CREDENTIALS_KEY is not set');
    expect([someone.asked, instance.asked]).toEqual([[], []]);
  });
});
