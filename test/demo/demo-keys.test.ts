import { demoScenario } from './demo-scenario.js';

let scenario: Awaited<ReturnType<typeof demoScenario>>;
beforeAll(async () => {
  scenario = await demoScenario();
});
afterAll(() => scenario?.close());

it.each([
  ['owner', 'owner', ['workspaces', 'accounts', 'posts', 'media', 'webhooks', 'connections']],
  ['admin', 'admin', ['posts']],
  ['editor', 'editor', ['posts']],
  ['viewer', 'viewer', ['posts']],
  ['accountsOnly', 'owner', ['accounts']],
  ['postsRead', 'owner', ['posts:read']],
] as const)('%s acts as %s', async (name, role, scopes) => {
  expect(await scenario.grant(name)).toMatchObject({
    caller: { plan: 'business', key: { scopes } },
    viewer: {
      role,
      postActions: false,
      workspace: { requiresApproval: false, plan: 'business' },
    },
  });
});

it('belong to seven distinct users, of whom the owner has several keys', async () => {
  const users = await Promise.all(
    (
      [
        'owner',
        'admin',
        'editor',
        'editorWithPostActions',
        'viewer',
        'freePlan',
        'outsider',
      ] as const
    ).map(async (name) => (await scenario.grant(name))!.caller.user.id),
  );
  expect(new Set(users).size).toBe(7);
  expect((await scenario.grant('accountsOnly'))!.caller.user.id).toBe(users[0]);
  expect((await scenario.grant('postsRead'))!.caller.user.id).toBe(users[0]);
});

it('cover post actions, the free plan, a user outside the workspace, an expired and a revoked key', async () => {
  expect((await scenario.viewer('editorWithPostActions')).postActions).toBe(true);
  expect(await scenario.grant('freePlan')).toMatchObject({
    caller: { plan: 'free' },
    viewer: { role: 'editor' },
  });
  expect(await scenario.grant('outsider')).toMatchObject({
    caller: { plan: 'business' },
    viewer: null,
  });
  expect((await scenario.grant('outsider', scenario.demo.otherWorkspaceId))!.viewer).toBeNull();
  expect(await scenario.grant('expired')).toBeNull();
  expect(await scenario.grant('revoked')).toBeNull();
  const rows = await scenario.db.prisma.apiKey.findMany({
    where: { name: { in: ['Demo: expired', 'Demo: revoked'] } },
    orderBy: { name: 'asc' },
    include: { user: true },
  });
  expect(
    rows.map(({ expiresAt, revokedAt, user }) => [
      expiresAt !== null,
      revokedAt !== null,
      user.name,
    ]),
  ).toEqual([
    [true, false, 'Johanna Petersen'],
    [false, true, 'Johanna Petersen'],
  ]);
});
