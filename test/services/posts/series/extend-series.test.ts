import type { Viewer } from '../../../../src/domain/access/viewer.js';
import type { Account, Post } from '../../../../src/domain/posts/post.js';
import type { StoredState } from '../../../../src/domain/posts/states.js';
import { createDueSeriesStore } from '../../../../src/persistence/publishing/due-posts.js';
import { createSeriesExtension } from '../../../../src/services/posts/series/extend-series.js';
import { NOW, testServices, updatedPost } from '../../../fixtures/services.js';
import { readChildren } from './four-day-series.js';
import { forEachTest } from '../../../fixtures/lifecycle.js';

const DAY_MS = 86_400_000;
const daysLater = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);
const services = forEachTest(() => testServices());
beforeEach(async () => {
  services.clock.time = NOW;
});
afterEach(() => services.database.drop());

/** Creates the occurrences that are due, as one worker. */
const extend = (max = 10): Promise<number> =>
  createSeriesExtension({ ...services, dueSeries: createDueSeriesStore(services.database) })(max);
const extendAfter = (days: number): Promise<number> => {
  services.clock.time = daysLater(days);
  return extend();
};

async function aDailySeries({
  requiresApproval = false,
  by,
  given = {},
}: {
  requiresApproval?: boolean;
  by?: 'editor';
  given?: Partial<Account>;
} = {}): Promise<{ viewer: Viewer; editor: Viewer; account: Account; series: Post }> {
  const { id: workspaceId, ownerId } = await services.aWorkspace({ requiresApproval });
  const viewer = await services.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  const editor = await services.aViewer({ workspaceId, postActions: true });
  const account = await services.anAccount({ workspaceId, network: 'mastodon', ...given });
  const post = await services.aPost({
    by: viewer,
    account,
    scheduledAt: daysLater(1),
    text: 'Good morning',
    labels: [await services.aLabel({ workspaceId, name: 'daily' })],
  });
  const author = by === 'editor' ? editor : viewer;
  const patch = { recurring: { repeat: 'daily' as const } };
  const series = updatedPost(await services.update(author, post, patch));
  return { viewer, editor, account, series };
}
const lastStates = async (viewer: Viewer, series: Post, count: number): Promise<StoredState[]> =>
  (await readChildren(services, viewer, series)).slice(-count).map((child) => child.storedState);
const eventsSince = (after: number) =>
  services.sql<{ type: string; post_id: string; api: string }>(
    'SELECT type, post_id, api FROM event WHERE sequence > $1 ORDER BY sequence',
    after,
  );
const lastEvent = async (): Promise<number> =>
  Number((await services.sql<{ n: string }>('SELECT max(sequence) AS n FROM event'))[0]!.n);

it('creates the occurrence that comes within reach, and moves the series on to its next date', async () => {
  const { viewer, series } = await aDailySeries();
  expect(await extend()).toBe(0);
  const before = await readChildren(services, viewer, series);
  const events = await lastEvent();
  expect(await extendAfter(1)).toBe(1);
  expect(await extend()).toBe(0);

  const after = await readChildren(services, viewer, series);
  const [created] = after.slice(before.length);
  expect(after.length).toBe(before.length + 1);
  expect(created).toMatchObject({
    text: 'Good morning',
    labels: [{ name: 'daily' }],
    scheduledAt: daysLater(53),
    storedState: 'scheduled',
    parentId: series.databaseId,
    version: 1,
    recurring: null,
    extendAt: null,
    occurrenceState: null,
  });
  expect(await services.storedPost(viewer, series.id)).toMatchObject({
    scheduledAt: daysLater(2),
    extendAt: daysLater(2),
    version: series.version + 1,
    updatedAt: daysLater(1),
  });
  expect(await eventsSince(events)).toEqual([
    { type: 'post.updated', post_id: String(series.databaseId), api: 'service' },
    { type: 'post.created', post_id: String(created!.databaseId), api: 'service' },
    { type: 'post.scheduled', post_id: String(created!.databaseId), api: 'service' },
  ]);
});

it('does not create again what was deleted or moved, and catches up after a long pause', async () => {
  const { viewer, series } = await aDailySeries();
  const children = await readChildren(services, viewer, series);
  await services.remove(viewer, [children.at(-1)!.id, children.at(-3)!.id]);
  await services.update(viewer, children.at(-2)!, { scheduledAt: daysLater(400) });
  expect(await extendAfter(20.5)).toBe(1);
  const dates = (await readChildren(services, viewer, series)).map(
    (child) => (child.scheduledAt!.getTime() - NOW.getTime()) / DAY_MS,
  );
  const expected = Array.from({ length: 72 }, (_, day) => day + 1);
  expect(dates).toEqual([...expected.filter((day) => ![50, 51, 52].includes(day)), 400]);
});

it('creates each occurrence once, whatever the number of workers', async () => {
  const { viewer, series } = await aDailySeries();
  services.clock.time = daysLater(3);
  const extended = await Promise.all(Array.from({ length: 6 }, () => extend()));
  expect(extended.filter((count) => count === 1).length).toBe(1);
  expect((await readChildren(services, viewer, series)).length).toBe(55);
});

it('an ended series is not looked at again', async () => {
  const { viewer, series } = await aDailySeries();
  await services.update(viewer, series, { recurring: { endDate: '2026-11-24T23:00:00Z' } });
  expect(await extendAfter(1)).toBe(1);
  expect(await extendAfter(60)).toBe(1);
  expect(await extendAfter(4_000)).toBe(0);
  expect(await readChildren(services, viewer, series)).toHaveLength(3);
});

it('deleted series, and posts that are no series any more, get no occurrences', async () => {
  const [deleted, ended] = [await aDailySeries(), await aDailySeries()];
  await services.remove(deleted.viewer, [deleted.series.id]);
  await services.update(ended.viewer, ended.series, { recurring: null });
  expect(await extendAfter(30)).toBe(0);
});

describe('the approval of a series', () => {
  it.each<[string, { by?: 'editor' }, StoredState]>([
    ['an approver created', {}, 'scheduled'],
    ['a member created whose posts need approval', { by: 'editor' }, 'scheduled_pending'],
  ])('of a series that %s', async (_who, options, expected) => {
    const { viewer, series } = await aDailySeries({ requiresApproval: true, ...options });
    await extendAfter(2);
    expect(await lastStates(viewer, series, 2)).toEqual([expected, expected]);
  });

  it.each<['viewer' | 'editor', StoredState]>([
    ['viewer', 'scheduled'],
    ['editor', 'scheduled_pending'],
  ])('of a draft that the %s schedules as a series', async (by, expected) => {
    const people = await aDailySeries({ requiresApproval: true });
    const draft = await services.aPost({
      by: people[by],
      account: people.account,
      storedState: 'draft_dated',
      scheduledAt: daysLater(1),
      recurring: { repeat: 'daily', startDate: daysLater(1).toISOString() },
    });
    const { kind } = await services.act(people[by], [draft], {
      kind: 'schedule',
      mode: 'schedule',
      scheduledAt: daysLater(1),
      accountId: null,
      visibility: null,
      allowDuplicate: true,
    });
    expect(kind).toBe('done');
    await extendAfter(2);
    expect(await lastStates(people.viewer, draft, 2)).toEqual([expected, expected]);
    expect((await services.storedPost(people.viewer, draft.id)).extendAt).toEqual(daysLater(3));
  });

  it('ends with a change that needs approval, and not with one of labels', async () => {
    const { viewer, editor, series } = await aDailySeries({ requiresApproval: true });
    await services.update(editor, series, { labels: [{ name: 'other' }] });
    await extendAfter(2);
    expect(await lastStates(viewer, series, 1)).toEqual(['scheduled']);
    await services.update(editor, series, { text: 'Unseen' });
    await extendAfter(3);
    expect(await lastStates(viewer, series, 1)).toEqual(['scheduled_pending']);
    const rule = { recurring: { repeat: 'weekly' as const } };
    await services.update(viewer, series, rule);
    expect(await lastStates(viewer, series, 1)).toEqual(['scheduled_pending']);
  });

  it.each([
    [true, 'scheduled_pending'],
    [false, 'scheduled'],
  ])('if it is unknown and approval required is %s', async (requiresApproval, expected) => {
    const { viewer, series } = await aDailySeries({ requiresApproval });
    await services.sql(
      'UPDATE post SET occurrence_state = NULL, extend_at = NULL WHERE id = $1',
      series.databaseId,
    );
    await extendAfter(1);
    expect(await lastStates(viewer, series, 1)).toEqual([expected]);
  });
});

it('occurrences wait while the account needs reauthorization or the workspace is locked', async () => {
  const { viewer, account, series } = await aDailySeries();
  await services.sql('UPDATE account SET needs_reauth = true WHERE id = $1', account.id);
  await extendAfter(1);
  expect(await lastStates(viewer, series, 1)).toEqual(['scheduled_reauth']);
  await services.sql('UPDATE workspace SET locked = true WHERE id = $1', viewer.workspace.id);
  await extendAfter(2);
  expect(await lastStates(viewer, series, 1)).toEqual(['scheduled_locked']);
});

it('an occurrence that would exceed a daily cap is skipped, with an event', async () => {
  const { viewer, account, series } = await aDailySeries({ given: { network: 'google' } });
  const others = Array.from({ length: 15 }, (_, n) => n);
  for (const n of others)
    await services.aPost({
      by: viewer,
      account,
      scheduledAt: new Date(daysLater(53).getTime() - n * 60_000),
    });
  const before = await readChildren(services, viewer, series);
  const events = await lastEvent();
  expect(await extendAfter(2)).toBe(1);
  const after = await readChildren(services, viewer, series);
  expect(after.slice(before.length).map(({ scheduledAt }) => scheduledAt)).toEqual([daysLater(54)]);
  const [first] = await eventsSince(events);
  expect(first).toMatchObject({ type: 'post.skipped', post_id: String(series.databaseId) });
  expect(await extend()).toBe(0);
});
