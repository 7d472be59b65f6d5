import { aMastodonInstance } from '../../fixtures/mastodon-instance.js';
import { connectScenario, credentialVariables, OTHER_TOKEN, TOKEN } from './connect-scenario.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const scenario = forAllTests(() => connectScenario(), 'close');
beforeEach(() => scenario.reset());

it('creates separate accounts for the same account id on two instances', async () => {
  const other = await aMastodonInstance({ token: OTHER_TOKEN, acct: 'other' });
  scenario.state.env = credentialVariables(scenario.instance);
  const first = await scenario.connectJson();
  scenario.state.env = credentialVariables(other, OTHER_TOKEN);
  const second = await scenario.connectJson();
  expect([first.socialId, second.socialId]).toEqual([
    `109@${new URL(scenario.instance.url).host}`,
    `109@${new URL(other.url).host}`,
  ]);
  expect(await scenario.credentials.open(first.id)).toMatchObject({ accessToken: TOKEN });
  await other.close();
});

describe('accounts connect for an existing account', () => {
  beforeEach(() => {
    scenario.state.env = credentialVariables(scenario.instance);
  });

  it('keeps its name and type, replaces the credentials, and restores posts that waited for reauthorization', async () => {
    const { id } = await scenario.connectJson('--name', 'Ours');
    await scenario.db.prisma.account.update({
      where: { id },
      data: { needsReauth: true, type: 'page' },
    });
    const by = await scenario.records.aViewer({
      workspaceId: scenario.state.workspaceId,
      role: 'admin',
    });
    const account = await scenario.db.prisma.account.findUniqueOrThrow({ where: { id } });
    const waiting = await scenario.records.aPost({ by, account, storedState: 'scheduled_reauth' });
    const recycled = await scenario.records.aPost({ by, account, storedState: 'recycling_reauth' });
    const draft = await scenario.records.aPost({ by, account, storedState: 'draft_dated' });
    await scenario.credentials.seal(id, { accessToken: 'old' });

    expect(await scenario.connectJson()).toMatchObject({
      id,
      name: 'Ours',
      isNew: false,
      restored: 2,
    });
    expect(await scenario.accounts()).toMatchObject([
      { id, name: 'Ours', type: 'page', needsReauth: false },
    ]);
    expect(await scenario.credentials.open(id)).toMatchObject({ accessToken: TOKEN });
    const posts = await scenario.db.prisma.post.findMany({
      where: { id: { in: [waiting, recycled, draft].map(({ databaseId }) => BigInt(databaseId)) } },
      select: { storedState: true, version: true },
      orderBy: { id: 'asc' },
    });
    expect(posts).toEqual([
      { storedState: 1, version: 2 },
      { storedState: 40, version: 2 },
      { storedState: 20, version: 1 },
    ]);
  });

  it('replaces the id of an account without credentials with the id on the network', async () => {
    const record = await scenario.records.anAccount({
      workspaceId: scenario.state.workspaceId,
      name: 'Record',
      socialId: 'kiosk',
    });
    expect(await scenario.connectJson('--account', record.id)).toMatchObject({
      id: record.id,
      isNew: false,
    });
    const [account, ...others] = await scenario.accounts();
    expect([account!.name, account!.socialId === 'kiosk', others]).toEqual(['Record', false, []]);
  });

  it('fails for an account of another owner, workspace or network, an unknown account and a sandbox account', async () => {
    const { id: connected } = await scenario.connectJson();
    const other = await aMastodonInstance({ token: OTHER_TOKEN, id: '110', acct: 'other' });
    const { id: foreign } = await scenario.records.anAccount({
      workspaceId: (await scenario.records.aWorkspace()).id,
    });
    const { id: blog } = await scenario.records.anAccount({
      workspaceId: scenario.state.workspaceId,
      network: 'wordpress',
      type: 'blog',
    });
    const { id: sandbox } = await scenario.records.anAccount({
      workspaceId: scenario.state.workspaceId,
      sandbox: true,
    });
    const errors: string[] = [];
    for (const id of [foreign, blog, sandbox, 'acc_none'])
      errors.push((await scenario.connect('--account', id)).err);
    scenario.state.env = credentialVariables(other, OTHER_TOKEN);
    errors.push((await scenario.connect('--account', connected)).err);
    expect(errors).toEqual([
      `error: The workspace has no account "${foreign}".`,
      `error: ${blog} is an account on WordPress, not on Mastodon.`,
      `error: ${sandbox} is on the sandbox network, so that it needs no connection.`,
      'error: The workspace has no account "acc_none".',
      expect.stringMatching(/^error: The credentials belong to @other@.+, but acc_\w+ is @kiosk@/),
    ]);
    expect(await scenario.credentials.open(connected)).toMatchObject({ accessToken: TOKEN });
    expect(
      await scenario.db.prisma.accountCredential.count({
        where: { accountId: { in: [foreign, blog, sandbox] } },
      }),
    ).toBe(0);
    await other.close();
  });
});
