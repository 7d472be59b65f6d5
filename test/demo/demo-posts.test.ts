import { NETWORKS, type Network } from '../../src/domain/networks/networks.js';
import { capAllowance, DAILY_CAPS } from '../../src/domain/caps/daily-caps.js';
import { STORED_STATES, STATE_FILTERS, type StateFilter } from '../../src/domain/posts/states.js';
import { enumKeys } from '../../src/domain/enums.js';
import { createWorkspaceRecordStore } from '../../src/persistence/workspaces/workspace-record-store.js';
import { createSandboxStore } from '../../src/persistence/networks/sandbox-store.js';
import { createSandboxTimelineStore } from '../../src/persistence/networks/sandbox-timelines.js';
import { demoScenario } from './demo-scenario.js';

let scenario: Awaited<ReturnType<typeof demoScenario>>;
beforeAll(async () => {
  scenario = await demoScenario();
});
afterAll(() => scenario?.close());

it.each(enumKeys<StateFilter>(STATE_FILTERS))('include posts for the filter %s', async (state) => {
  expect(
    (await scenario.list(await scenario.viewer('owner'), { states: [state] }, 1)).totalCount,
  ).toBeGreaterThan(0);
});

it('include a published and a scheduled post of every type of every network', async () => {
  const rows = await scenario.db.prisma.post.findMany({
    where: { workspaceId: scenario.demo.workspaceId },
    select: { network: true, type: true, storedState: true, scheduledAt: true },
  });
  const now = Date.now();
  const has = (network: string, type: string, storedState: number, inFuture: boolean) =>
    rows.some(
      (row) =>
        row.network === network &&
        row.type === type &&
        row.storedState === storedState &&
        row.scheduledAt!.getTime() > now === inFuture,
    );
  for (const network of enumKeys<Network>(NETWORKS)) {
    for (const type of NETWORKS[network].postTypes) {
      expect([
        network,
        type,
        has(network, type, STORED_STATES.published_posted.number, false),
        has(network, type, STORED_STATES.scheduled.number, true),
      ]).toEqual([network, type, true, true]);
    }
  }
});

it('are on sandbox accounts only', async () => {
  expect(await scenario.db.prisma.account.count({ where: { sandbox: false } })).toBe(0);
});

it('have only types that their network supports', async () => {
  const rows = await scenario.db.prisma.post.findMany({
    where: { network: { not: null } },
    select: { network: true, type: true },
  });
  expect(
    rows.filter(
      ({ network, type }) => !(NETWORKS[network!].postTypes as readonly string[]).includes(type),
    ),
  ).toEqual([]);
});

it('cover every stored state, and include private drafts of the owner and of the editor', async () => {
  const states = await scenario.db.prisma.post.groupBy({
    by: ['storedState'],
    where: { workspaceId: scenario.demo.workspaceId },
  });
  expect(states.map(({ storedState }) => storedState).sort((a, b) => a - b)).toEqual(
    Object.values(STORED_STATES)
      .map(({ number }) => number)
      .sort((a, b) => a - b),
  );
  for (const name of ['owner', 'editor'] as const) {
    const { posts } = await scenario.list(await scenario.viewer(name), {
      states: ['draft_private'],
    });
    const userId = (await scenario.viewer(name)).user.id;
    expect(posts.length).toBeGreaterThan(0);
    expect(posts.every(({ creatorId }) => creatorId === userId)).toBe(true);
  }
});

it('include series with past and future children, one of which is queued', async () => {
  const series = await scenario.db.prisma.post.findMany({
    where: { workspaceId: scenario.demo.workspaceId, storedState: STORED_STATES.recurring.number },
    include: { children: true },
  });
  const published = STORED_STATES.published_posted.number;
  for (const { children, scheduledAt } of series) {
    expect(children.some(({ storedState }) => storedState === published)).toBe(true);
    const futureTimes = children
      .filter(({ storedState, queuedAt }) => storedState !== published && !queuedAt)
      .map((child) => child.scheduledAt!.getTime());
    expect(Math.min(...futureTimes)).toBe(scheduledAt!.getTime());
    expect(Math.min(...futureTimes)).toBeGreaterThan(Date.now());
  }
  expect(series.filter(({ children }) => children.some(({ queuedAt }) => queuedAt))).toHaveLength(
    1,
  );
});

it('include a queued post and a queued reminder', async () => {
  const queued = await scenario.db.prisma.post.findMany({
    where: { queuedAt: { not: null }, parentId: null },
    select: { reminder: true },
  });
  expect(new Set(queued.map(({ reminder }) => reminder))).toEqual(new Set([true, false]));
});

it('are found by words in every script', async () => {
  const owner = await scenario.viewer('owner');
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
    queries.map(async (query) => (await scenario.list(owner, { query }, 1)).totalCount),
  );
  expect(queries.filter((_, i) => counts[i] === 0)).toEqual(['"von 8:00"']);
});

it('stay within the daily caps of their workspace', async () => {
  const slots = await scenario.db.prisma.capSlot.findMany({ include: { account: true } });
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
    expect(capAllowance(limit, others, at.getTime()).fits).toBe(true);
  }
});

it('have analytics if they are imported or synced, and network updates with every status', async () => {
  const analytics = await scenario.db.prisma.postAnalytics.findMany({
    select: { post: { select: { origin: true } } },
  });
  expect(new Set(analytics.map(({ post }) => post.origin))).toEqual(
    new Set(['imported', 'synced']),
  );
  const syncs = await scenario.db.prisma.postSync.findMany({
    select: { status: true, job: { select: { status: true } } },
  });
  expect(syncs.map(({ status, job }) => `${status} ${job?.status}`).sort()).toEqual([
    'failed failed',
    'pending working',
    'synced completed',
    'synced completed',
  ]);
  const superseded = await scenario.db.prisma.job.findMany({
    where: { kind: 'network_edit', syncs: { none: {} } },
    select: { status: true, failures: true },
  });
  expect(superseded).toEqual([{ status: 'completed', failures: [] }]);
  const edited = await scenario.db.prisma.post.findMany({
    where: { sync: { isNot: null } },
    select: {
      docId: true,
      workspaceId: true,
      body: { select: { text: true } },
      sync: { select: { status: true } },
    },
  });
  const [sandbox, network] = [
    createSandboxStore(scenario.db),
    createSandboxTimelineStore(scenario.db),
  ];
  for (const { docId, workspaceId, body, sync } of edited) {
    const savedText = body!.text;
    const live = await network.find(workspaceId, { kind: 'document', id: docId });
    expect(live!.post.text).toBe(
      sync!.status === 'synced' ? savedText : savedText.replace(/ ✏️$/, ''),
    );
    expect((await sandbox.faults(docId, new Date())).rateLimitSeconds !== null).toBe(
      sync!.status === 'pending',
    );
  }
  const [imported] = await scenario.db.prisma.job.findMany({ where: { kind: 'import' } });
  expect(imported).toMatchObject({
    status: 'completed',
    failures: [{ code: 'MEDIA_NOT_FOUND' }],
  });
});

it('exist in the other workspace, which requires approval and has the owner and the editors as members', async () => {
  for (const name of ['owner', 'editor', 'editorWithPostActions'] as const) {
    const member = await scenario.viewer(name, scenario.demo.otherWorkspaceId);
    expect(member.workspace).toMatchObject({ requiresApproval: true, plan: 'professional' });
    expect((await scenario.list(member, { states: ['published'] })).totalCount).toBe(5);
  }
  const pending = await scenario.list(
    await scenario.viewer('owner', scenario.demo.otherWorkspaceId),
    {
      states: ['scheduled_pending'],
    },
  );
  expect(pending.totalCount).toBe(1);
  const notifications = await createWorkspaceRecordStore(scenario.db).notifications(
    await scenario.viewer('owner', scenario.demo.otherWorkspaceId),
    {
      limit: 10,
      fromEnd: false,
    },
  );
  expect(notifications.items).toMatchObject([
    { kind: 'approval_needed', postId: pending.posts[0]!.databaseId },
  ]);
});
