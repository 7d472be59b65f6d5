import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ADDRESSES, demoScenario } from './demo-scenario.js';

let scenario: Awaited<ReturnType<typeof demoScenario>>;
beforeAll(async () => {
  scenario = await demoScenario();
});
afterAll(() => scenario?.close());

describe('ensure', () => {
  it('writes demo.json, readable by its owner only', async () => {
    const file = path.join(scenario.dataDir, 'demo.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(scenario.demo);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(scenario.demo).toMatchObject({
      ...ADDRESSES,
      apiKey: scenario.demo.keys.owner,
      workspaceId: expect.stringMatching(/^wks_\w{16}$/),
    });
  });

  it('creates the demo once, and updates the URLs if the gateway moves', async () => {
    const count = await scenario.db.prisma.post.count();
    const moved = {
      graphqlUrl: 'http://127.0.0.1:5000/graphql',
      restUrl: 'http://127.0.0.1:5000/v1',
    };
    const [again] = await Promise.all([
      scenario.openDemo().ensure(moved),
      scenario.openDemo().ensure(moved),
    ]);
    expect(again).toEqual({ ...scenario.demo, ...moved });
    expect(await scenario.db.prisma.post.count()).toBe(count);
    expect(count).toBeGreaterThan(300);
    expect(count).toBeLessThan(370);
  });
});

describe('reset', () => {
  const readPosts = async () =>
    (await scenario.list(await scenario.viewer('owner'), {})).posts.map(
      ({ text, storedState, type, network }) => [text, storedState, type, network],
    );

  it('reverts changes, deletions and imports, and keeps key values and workspace ids', async () => {
    const before = await readPosts();
    await scenario.db.prisma.post.updateMany({
      where: { workspaceId: scenario.demo.workspaceId, storedState: 1 },
      data: { deletedAt: new Date() },
    });
    await scenario.db.prisma.post.create({
      data: {
        docId: 'f'.repeat(24),
        workspaceId: scenario.demo.workspaceId,
        creatorId: (await scenario.viewer('owner')).user.id,
        storedState: 21,
        type: 'status',
        importKey: 'item-1',
      },
    });
    await scenario.db.prisma.apiKey.updateMany({
      where: { name: 'Demo: editor' },
      data: { revokedAt: new Date() },
    });
    await scenario.db.prisma.user.updateMany({
      where: { plan: 'free' },
      data: { plan: 'business' },
    });
    const again = await scenario.openDemo().reset();
    expect(again).toMatchObject({
      workspaceId: scenario.demo.workspaceId,
      otherWorkspaceId: scenario.demo.otherWorkspaceId,
      keys: scenario.demo.keys,
    });
    expect(await readPosts()).toEqual(before);
    expect(await scenario.db.prisma.post.count({ where: { importKey: { not: null } } })).toBe(0);
    expect(await scenario.grant('editor')).not.toBeNull();
    expect((await scenario.grant('freePlan'))!.caller.plan).toBe('free');
  });

  it('does not change other users and workspaces', async () => {
    await scenario.db.prisma.user.create({
      data: { id: 'usr_mine', name: 'Me', email: 'me@example.com' },
    });
    await scenario.db.prisma.workspace.create({
      data: {
        id: 'wks_mine',
        name: 'Mine',
        timeZone: 'UTC',
        memberships: { create: { userId: 'usr_mine', role: 'owner' } },
      },
    });
    await scenario.openDemo().reset();
    expect(await scenario.db.prisma.workspace.count({ where: { id: 'wks_mine' } })).toBe(1);
  });

  it('does not change other workspaces and keys of the demo users', async () => {
    const { id: userId } = (await scenario.viewer('owner')).user;
    await scenario.db.prisma.workspace.create({
      data: {
        id: 'wks_second',
        name: 'Second',
        timeZone: 'UTC',
        memberships: { create: { userId, role: 'owner' } },
        posts: {
          create: { docId: 'e'.repeat(24), creatorId: userId, storedState: 21, type: 'status' },
        },
      },
    });
    await scenario.db.prisma.apiKey.create({
      data: {
        id: 'key_mine',
        userId,
        name: 'mine',
        hash: Buffer.alloc(32, 1),
        prefix: 'x',
        scopes: [],
      },
    });
    await scenario.openDemo().reset();
    expect(await scenario.db.prisma.post.count({ where: { workspaceId: 'wks_second' } })).toBe(1);
    expect(await scenario.db.prisma.apiKey.count({ where: { id: 'key_mine' } })).toBe(1);
  });

  it('is completed at the next start if it was interrupted', async () => {
    const file = path.join(scenario.dataDir, 'demo.json');
    await writeFile(file, JSON.stringify({ ...scenario.demo, restoring: true }));
    await scenario.db.prisma.post.updateMany({
      where: { workspaceId: scenario.demo.workspaceId },
      data: { deletedAt: new Date() },
    });
    expect(await scenario.openDemo().ensure(ADDRESSES)).toEqual(scenario.demo);
    expect(await readPosts()).not.toEqual([]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(scenario.demo);
  });

  it('returns null and changes nothing if there is no demo', async () => {
    const count = await scenario.db.prisma.post.count();
    expect(await scenario.openDemoIn(path.join(scenario.dataDir, 'none')).reset()).toBeNull();
    expect(await scenario.db.prisma.post.count()).toBe(count);
  });
});
