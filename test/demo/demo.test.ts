import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { NETWORKS, type Network } from '../../src/domain/networks/networks.js';
import { allowance } from '../../src/domain/caps/cap-allowance.js';
import { DAILY_CAPS } from '../../src/domain/caps/daily-caps.js';
import { CELLS, STATE_FILTERS, type StateFilter } from '../../src/domain/posts/states.js';
import { wordsOf } from '../../src/domain/vocabulary.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import { NO_EPOCHS } from '../../src/redis/grants-versions.js';
import { createDirectoryStore } from '../../src/persistence/directory/directory-store.js';
import { createKeyStore } from '../../src/persistence/access/key-store.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { createSandboxStore } from '../../src/persistence/networks/sandbox-store.js';
import { keyHash } from '../../src/services/access/key-hash.js';
import type { DemoFile } from '../../src/demo/demo-file.js';
import type { DemoKeyName } from '../../src/demo/cast.js';
import { openDemo } from '../../src/composition/demo-setup.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

const ADDRESSES = {
  graphqlUrl: 'http://127.0.0.1:4000/graphql',
  restUrl: 'http://127.0.0.1:4000/v1',
};

let db: TestDatabase;
let dataDir: string;
let demo: DemoFile;
const place = () => ({ ...db, fresh: false, epochs: NO_EPOCHS });
const opened = () => openDemo(place(), dataDir);
const grant = (name: DemoKeyName, workspaceId = demo.workspaceId) =>
  createKeyStore(db.pool).grant(keyHash(demo.keys[name]), workspaceId, new Date());
const viewer = async (name: DemoKeyName, workspaceId = demo.workspaceId): Promise<Viewer> =>
  (await grant(name, workspaceId))!.viewer!;
const list = async (
  who: Viewer,
  filter: Parameters<ReturnType<typeof createPostStore>['list']>[1]['filter'],
  limit = 500,
) =>
  createPostStore(db.pool).list(
    who,
    {
      filter,
      order: { field: 'scheduled_at', direction: 'desc' },
      slice: { kind: 'window', limit, fromEnd: false },
    },
    { fields: new Set(['text', 'user']), totalCount: true, facets: false, items: true },
  );

beforeAll(async () => {
  db = await testDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'demo-'));
  demo = await opened().ensure(ADDRESSES);
});
afterAll(async () => {
  await db.drop();
  await rm(dataDir, { recursive: true });
});

describe('the demo', () => {
  it('is written down for its owner alone', async () => {
    const file = path.join(dataDir, 'demo.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(demo);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(demo).toMatchObject({
      ...ADDRESSES,
      apiKey: demo.keys.owner,
      workspaceId: expect.stringMatching(/^wks_\w{16}$/),
    });
  });

  it('is made once, and follows the gateway to another address', async () => {
    const count = await db.prisma.post.count();
    const moved = {
      graphqlUrl: 'http://127.0.0.1:5000/graphql',
      restUrl: 'http://127.0.0.1:5000/v1',
    };
    const [again] = await Promise.all([opened().ensure(moved), opened().ensure(moved)]);
    expect(again).toEqual({ ...demo, ...moved });
    expect(await db.prisma.post.count()).toBe(count);
    expect(count).toBeGreaterThan(300);
    expect(count).toBeLessThan(370);
  });
});

describe('its posts', () => {
  it.each(wordsOf<StateFilter>(STATE_FILTERS))('answer to the filter %s', async (state) => {
    expect((await list(await viewer('owner'), { states: [state] }, 1)).totalCount).toBeGreaterThan(
      0,
    );
  });

  it('are published and scheduled, on every network and of every type it has', async () => {
    const rows = await db.prisma.post.findMany({
      where: { workspaceId: demo.workspaceId },
      select: { network: true, type: true, cell: true, scheduledAt: true },
    });
    const now = Date.now();
    const has = (network: string, type: string, cell: number, inFuture: boolean) =>
      rows.some(
        (row) =>
          row.network === network &&
          row.type === type &&
          row.cell === cell &&
          row.scheduledAt!.getTime() > now === inFuture,
      );
    for (const network of wordsOf<Network>(NETWORKS)) {
      for (const type of NETWORKS[network].postTypes) {
        expect([
          network,
          type,
          has(network, type, CELLS.published_posted.number, false),
          has(network, type, CELLS.scheduled.number, true),
        ]).toEqual([network, type, true, true]);
      }
    }
  });

  it('are all on the sandbox network', async () => {
    expect(await db.prisma.account.count({ where: { sandbox: false } })).toBe(0);
  });

  it('are of no type that their network has not', async () => {
    const rows = await db.prisma.post.findMany({
      where: { network: { not: null } },
      select: { network: true, type: true },
    });
    expect(
      rows.filter(
        ({ network, type }) => !(NETWORKS[network!].postTypes as readonly string[]).includes(type),
      ),
    ).toEqual([]);
  });

  it('fill every cell, and have private drafts of the owner and of the editor', async () => {
    const cells = await db.prisma.post.groupBy({
      by: ['cell'],
      where: { workspaceId: demo.workspaceId },
    });
    expect(cells.map(({ cell }) => cell).sort((a, b) => a - b)).toEqual(
      Object.values(CELLS)
        .map(({ number }) => number)
        .sort((a, b) => a - b),
    );
    for (const name of ['owner', 'editor'] as const) {
      const { posts } = await list(await viewer(name), { states: ['draft_private'] });
      const me = (await viewer(name)).user.id;
      expect(posts.length).toBeGreaterThan(0);
      expect(posts.every(({ creatorId }) => creatorId === me)).toBe(true);
    }
  });

  it('have series with past and coming children, one of them queued', async () => {
    const series = await db.prisma.post.findMany({
      where: { workspaceId: demo.workspaceId, cell: CELLS.recurring.number },
      include: { children: true },
    });
    const published = CELLS.published_posted.number;
    for (const { children, scheduledAt } of series) {
      expect(children.some(({ cell }) => cell === published)).toBe(true);
      const coming = children
        .filter(({ cell, queuedAt }) => cell !== published && !queuedAt)
        .map((child) => child.scheduledAt!.getTime());
      expect(Math.min(...coming)).toBe(scheduledAt!.getTime());
      expect(Math.min(...coming)).toBeGreaterThan(Date.now());
    }
    expect(series.filter(({ children }) => children.some(({ queuedAt }) => queuedAt))).toHaveLength(
      1,
    );
  });

  it('have one that is queued and a queued reminder', async () => {
    const queued = await db.prisma.post.findMany({
      where: { queuedAt: { not: null }, parentId: null },
      select: { reminder: true },
    });
    expect(new Set(queued.map(({ reminder }) => reminder))).toEqual(new Set([true, false]));
  });

  it('are found by words of every script', async () => {
    const owner = await viewer('owner');
    const queries = [
      '海关',
      '台風',
      'ประเทศไทย',
      'قهوة',
      'schließen',
      'cafe',
      '#zerowaste',
      '"von 8:00"',
    ];
    const counts = await Promise.all(
      queries.map(async (query) => (await list(owner, { query }, 1)).totalCount),
    );
    expect(queries.filter((_, i) => counts[i] === 0)).toEqual(['"von 8:00"']);
  });

  it('stay within the daily caps of their workspace', async () => {
    const slots = await db.prisma.capSlot.findMany({ include: { account: true } });
    expect(slots.length).toBeGreaterThan(200);
    for (const { accountId, postKind, at, account } of slots) {
      const limit = Math.min(
        ...DAILY_CAPS.filter(
          (row) => row.network === account.network && row.postKind === postKind,
        ).map((row) => row.limits.professional),
      );
      const others = slots
        .filter((slot) => slot.accountId === accountId && slot.postKind === postKind)
        .map((slot) => slot.at.getTime());
      others.splice(others.indexOf(at.getTime()), 1);
      expect(allowance(limit, others, at.getTime()).fits).toBe(true);
    }
  });

  it('have figures where they came from elsewhere, and changes in every stage of their way to a network', async () => {
    const figures = await db.prisma.postAnalytics.findMany({
      select: { post: { select: { origin: true } } },
    });
    expect(new Set(figures.map(({ post }) => post.origin))).toEqual(
      new Set(['imported', 'synced']),
    );
    const syncs = await db.prisma.postSync.findMany({
      select: { status: true, job: { select: { status: true } } },
    });
    expect(syncs.map(({ status, job }) => `${status} ${job?.status}`).sort()).toEqual([
      'failed failed',
      'pending working',
      'synced completed',
      'synced completed',
    ]);
    const overtaken = await db.prisma.job.findMany({
      where: { kind: 'network_edit', syncs: { none: {} } },
      select: { status: true, failures: true },
    });
    expect(overtaken).toEqual([{ status: 'completed', failures: [] }]);
    const edited = await db.prisma.post.findMany({
      where: { sync: { isNot: null } },
      select: { docId: true, body: { select: { text: true } }, sync: { select: { status: true } } },
    });
    const sandbox = createSandboxStore(db.pool);
    for (const { docId, body, sync } of edited) {
      const saved = body!.text;
      expect((await sandbox.find(docId)).fields.text).toBe(
        sync!.status === 'synced' ? saved : saved.replace(/ ✏️$/, ''),
      );
      expect((await sandbox.faults(docId, new Date())).rateLimitSeconds !== null).toBe(
        sync!.status === 'pending',
      );
    }
    const [imported] = await db.prisma.job.findMany({ where: { kind: 'import' } });
    expect(imported).toMatchObject({
      status: 'completed',
      failures: [{ code: 'MEDIA_NOT_FOUND' }],
    });
  });

  it('are in the other workspace too, which requires approval and has the owner and the editors', async () => {
    for (const name of ['owner', 'editor', 'editorWithPostActions'] as const) {
      const member = await viewer(name, demo.otherWorkspaceId);
      expect(member.workspace).toMatchObject({ requiresApproval: true, plan: 'professional' });
      expect((await list(member, { states: ['published'] })).totalCount).toBe(5);
    }
    const pending = await list(await viewer('owner', demo.otherWorkspaceId), {
      states: ['scheduled_pending'],
    });
    expect(pending.totalCount).toBe(1);
    const notes = await createDirectoryStore(db.prisma, db.pool).notifications(
      await viewer('owner', demo.otherWorkspaceId),
      { limit: 10, fromEnd: false },
    );
    expect(notes.items).toMatchObject([
      { kind: 'approval_needed', postId: pending.posts[0]!.databaseId },
    ]);
  });
});

describe('its keys', () => {
  it.each([
    ['owner', 'owner', ['workspaces', 'accounts', 'posts', 'media']],
    ['admin', 'admin', ['posts']],
    ['editor', 'editor', ['posts']],
    ['viewer', 'viewer', ['posts']],
    ['accountsOnly', 'owner', ['accounts']],
    ['postsRead', 'owner', ['posts:read']],
  ] as const)('%s acts as %s', async (name, role, scopes) => {
    expect(await grant(name)).toMatchObject({
      caller: { plan: 'business', key: { scopes } },
      viewer: {
        role,
        postActions: false,
        workspace: { requiresApproval: false, plan: 'business' },
      },
    });
  });

  it('are the owner’s where they are other keys of the owner, and of distinct users else', async () => {
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
      ).map(async (name) => (await grant(name))!.caller.user.id),
    );
    expect(new Set(users).size).toBe(7);
    expect((await grant('accountsOnly'))!.caller.user.id).toBe(users[0]);
    expect((await grant('postsRead'))!.caller.user.id).toBe(users[0]);
  });

  it('are of somebody with post actions, on the free plan, from outside, expired and revoked', async () => {
    expect((await viewer('editorWithPostActions')).postActions).toBe(true);
    expect(await grant('freePlan')).toMatchObject({
      caller: { plan: 'free' },
      viewer: { role: 'editor' },
    });
    expect(await grant('outsider')).toMatchObject({ caller: { plan: 'business' }, viewer: null });
    expect((await grant('outsider', demo.otherWorkspaceId))!.viewer).toBeNull();
    expect(await grant('expired')).toBeNull();
    expect(await grant('revoked')).toBeNull();
    const rows = await db.prisma.apiKey.findMany({
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
});

describe('a reset', () => {
  const shown = async () =>
    (await list(await viewer('owner'), {})).posts.map(({ text, cell, type, network }) => [
      text,
      cell,
      type,
      network,
    ]);

  it('takes back what was changed, deleted and imported, and keeps keys and workspaces', async () => {
    const before = await shown();
    await db.prisma.post.updateMany({
      where: { workspaceId: demo.workspaceId, cell: 1 },
      data: { deletedAt: new Date() },
    });
    await db.prisma.post.create({
      data: {
        docId: 'f'.repeat(24),
        workspaceId: demo.workspaceId,
        creatorId: (await viewer('owner')).user.id,
        cell: 21,
        type: 'status',
        importKey: 'item-1',
      },
    });
    await db.prisma.apiKey.updateMany({
      where: { name: 'Demo: editor' },
      data: { revokedAt: new Date() },
    });
    await db.prisma.user.updateMany({ where: { plan: 'free' }, data: { plan: 'business' } });
    const again = await opened().reset();
    expect(again).toMatchObject({
      workspaceId: demo.workspaceId,
      otherWorkspaceId: demo.otherWorkspaceId,
      keys: demo.keys,
    });
    expect(await shown()).toEqual(before);
    expect(await db.prisma.post.count({ where: { importKey: { not: null } } })).toBe(0);
    expect(await grant('editor')).not.toBeNull();
    expect((await grant('freePlan'))!.caller.plan).toBe('free');
  });

  it('leaves what is not the demo’s alone', async () => {
    await db.prisma.user.create({ data: { id: 'usr_mine', name: 'Me', email: 'me@example.com' } });
    await db.prisma.workspace.create({
      data: {
        id: 'wks_mine',
        name: 'Mine',
        timeZone: 'UTC',
        memberships: { create: { userId: 'usr_mine', role: 'owner' } },
      },
    });
    await opened().reset();
    expect(await db.prisma.workspace.count({ where: { id: 'wks_mine' } })).toBe(1);
  });

  it('that was cut short is ended at the next start', async () => {
    const file = path.join(dataDir, 'demo.json');
    await writeFile(file, JSON.stringify({ ...demo, restoring: true }));
    await db.prisma.post.updateMany({
      where: { workspaceId: demo.workspaceId },
      data: { deletedAt: new Date() },
    });
    expect(await opened().ensure(ADDRESSES)).toEqual(demo);
    expect(await shown()).not.toEqual([]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(demo);
  });

  it('does nothing where there is no demo', async () => {
    const count = await db.prisma.post.count();
    expect(await openDemo(place(), path.join(dataDir, 'none')).reset()).toBeNull();
    expect(await db.prisma.post.count()).toBe(count);
  });
});
