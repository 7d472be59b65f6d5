import type { ActionInput } from '../../../../src/services/posts/actions/action-request.js';
import type { PostAction } from '../../../../src/domain/actions/post-actions.js';
import type { Post } from '../../../../src/domain/posts/post.js';
import type { Viewer } from '../../../../src/domain/access/viewer.js';
import { createPurgeStore } from '../../../../src/persistence/jobs/purge-store.js';
import { createDueSeriesStore } from '../../../../src/persistence/publishing/due-posts.js';
import { createSeriesExtension } from '../../../../src/services/posts/series/extend-series.js';
import { ACTION_CALLS } from '../../../fixtures/action-calls.js';
import {
  actedPost,
  actionRefusals,
  NOW,
  updatedPost,
  withServices,
} from '../../../fixtures/services.js';
import { createSeries, datesOf, readChildren } from './four-day-series.js';

const services = withServices();
afterEach(() => {
  services.clock.time = NOW;
});

const DAY_MS = 86_400_000;
const WEEKLY = { recurring: { repeat: 'weekly', endDate: '2027-01-14' } } as const;
const act = (
  viewer: Viewer,
  post: Post,
  name: Exclude<PostAction, 'edit' | 'delete' | 'revert'>,
): ReturnType<typeof services.act> => {
  const input: ActionInput = ACTION_CALLS[name]({ at: new Date(0), accountId: null });
  return services.act(viewer, [post], input);
};
/** Changes the end of the series to another time without a new date in it, or with one. */
const endAt = (viewer: Viewer, series: Post, endDate: string): Promise<Post> =>
  services.update(viewer, series, { recurring: { endDate } }).then(updatedPost);

/** A weekly series of seven dates, from 1 December at 9:00 to 12 January. */
const aWeeklySeries = () => createSeries(services, WEEKLY);

test('a rule with one more day brings back no deleted date, and moves no occurrence', async () => {
  const { viewer, series, children } = await aWeeklySeries();
  await services.remove(viewer, [children[4]!.id]);
  await services.update(viewer, children[5]!, { text: 'Its own' });
  const before = await readChildren(services, viewer, series);
  expect(before).toHaveLength(6);
  await endAt(viewer, series, '2027-01-15');
  expect(await readChildren(services, viewer, series)).toEqual(before);
  await endAt(viewer, series, '2027-01-19');
  expect((await readChildren(services, viewer, series)).slice(0, 6)).toEqual(before);
  expect(datesOf((await readChildren(services, viewer, series)).slice(6))).toEqual([
    '2027-01-19T09:00',
  ]);
});

test('an occurrence that is a draft, published early or moved is not created again', async () => {
  const { viewer, account, series, children } = await aWeeklySeries();
  await services.sql('UPDATE account SET sandbox = true WHERE id = $1', account.id);
  await act(viewer, children[1]!, 'move_to_drafts');
  await act(viewer, children[2]!, 'share_now');
  await services.update(viewer, children[3]!, { scheduledAt: new Date('2027-02-01T10:00:00Z') });
  await endAt(viewer, series, '2027-01-20');
  await services.update(viewer, series, { recurring: { repeatRate: 2 } });
  await services.update(viewer, series, { recurring: { repeatRate: 1 } });
  expect(datesOf(await readChildren(services, viewer, series))).toEqual([
    NOW.toISOString().slice(0, 16),
    '2026-12-01T09:00',
    '2026-12-08T09:00',
    '2026-12-29T09:00',
    '2027-01-05T09:00',
    '2027-01-12T09:00',
    '2027-01-19T09:00',
    '2027-02-01T10:00',
  ]);
});

test('dates that a rule loses and gets back have occurrences again; a restored one shares no date', async () => {
  const { viewer, series, children } = await aWeeklySeries();
  const last = children.at(-1)!;
  await endAt(viewer, series, '2027-01-06');
  await endAt(viewer, series, '2027-01-14');
  const created = (await readChildren(services, viewer, series)).at(-1)!;
  expect([created.scheduledAt, created.id === last.id]).toEqual([last.scheduledAt, false]);
  expect(actionRefusals(await act(viewer, last, 'restore'))).toEqual(['RULE_VIOLATION']);
  expect(await readChildren(services, viewer, series)).toHaveLength(7);

  await services.remove(viewer, [created.id]);
  expect(actedPost(await act(viewer, last, 'restore')).occurrenceDate).toEqual(last.scheduledAt);
  expect(actionRefusals(await act(viewer, created, 'restore'))).toEqual(['RULE_VIOLATION']);
  expect(await readChildren(services, viewer, series)).toHaveLength(7);
});

test('of two occurrences of one date, a call restores one', async () => {
  const { viewer, series, children } = await aWeeklySeries();
  const first = children.at(-1)!;
  await endAt(viewer, series, '2027-01-06');
  await endAt(viewer, series, '2027-01-14');
  const second = (await readChildren(services, viewer, series)).at(-1)!;
  await services.remove(viewer, [second.id]);
  const outcome = await services.act(viewer, [first, second], {
    kind: 'restore',
    allowDuplicate: true,
  });
  expect(actionRefusals(outcome)).toEqual(['RULE_VIOLATION']);
  expect(await readChildren(services, viewer, series)).toHaveLength(7);
});

test('an occurrence that is restored after the rule lost its date keeps its time', async () => {
  const { viewer, series, children } = await aWeeklySeries();
  const last = children.at(-1)!;
  await endAt(viewer, series, '2027-01-06');
  await act(viewer, last, 'restore');
  await endAt(viewer, series, '2027-01-07');
  await endAt(viewer, series, '2027-01-14');
  const now = await readChildren(services, viewer, series);
  expect(now.map(({ id }) => id)).toEqual(children.map(({ id }) => id));
});

test('a date stays an exception when its occurrence is purged, or its series was deleted meanwhile', async () => {
  const { viewer, series, children } = await aWeeklySeries();
  await services.remove(viewer, [children[6]!.id]);
  await createPurgeStore(services.database).deletedPosts(new Date(NOW.getTime() + 1), 1_000);
  await act(viewer, children[5]!, 'move_to_drafts');
  await services.remove(viewer, [series.id]);
  await act(viewer, series, 'restore');
  const before = await readChildren(services, viewer, series);
  expect(before.map(({ id }) => id)).toEqual(children.slice(0, 5).map(({ id }) => id));
  await endAt(viewer, series, '2027-01-15');
  expect(await readChildren(services, viewer, series)).toEqual(before);
});

test('as time passes, no occurrence is created for an exception of an earlier rule', async () => {
  const { viewer, series, children } = await createSeries(services, {
    recurring: { repeat: 'weekly' },
  });
  const deleted = children[10]!;
  await services.remove(viewer, [deleted.id]);
  await services.update(viewer, series, { recurring: { repeat: 'daily' } });
  services.clock.time = new Date(deleted.scheduledAt!.getTime() - 30 * DAY_MS);
  const extend = createSeriesExtension({
    ...services,
    dueSeries: createDueSeriesStore(services.database),
  });
  expect(await extend(100)).toBeGreaterThan(0);
  const dates = datesOf(await readChildren(services, viewer, series));
  const day = (date: Date): string => date.toISOString().slice(0, 16);
  expect(dates).not.toContain(day(deleted.scheduledAt!));
  expect(dates).toContain(day(new Date(deleted.scheduledAt!.getTime() + DAY_MS)));
});

test('a change lists the dates that it makes, keeps, moves and removes, also as a dry run', async () => {
  const { viewer, series, children } = await aWeeklySeries();
  await services.remove(viewer, [children[0]!.id]);
  const recurring = { startDate: '2026-12-01T10:00:00Z', endDate: '2026-12-20' };
  const change = { recurring: { ...recurring, repeat: 'daily', repeatRate: 7 } } as const;
  const expected = {
    made: [],
    kept: [],
    moved: [1, 2].map((index) => ({
      from: children[index]!.scheduledAt,
      to: new Date(children[index]!.scheduledAt!.getTime() + 3_600_000),
    })),
    removed: children.slice(3).map(({ scheduledAt }) => scheduledAt),
    independent: 0,
  };
  const more = { idempotencyKey: 'another-hour' };
  for (const options of [{ dryRun: true }, more, more])
    expect(await services.update(viewer, series, change, options)).toMatchObject({
      series: expected,
    });
});

describe('without its rule', () => {
  test('a series takes the place of its next unchanged occurrence; the others are independent', async () => {
    const { viewer, series, children } = await aWeeklySeries();
    await services.update(viewer, children[0]!, { text: 'Its own' });
    const outcome = await services.update(viewer, series, { recurring: null, title: 'Title' });
    const post = updatedPost(outcome);
    expect(outcome).toMatchObject({ series: { independent: 6, made: [], removed: [] } });
    expect(post).toMatchObject({ storedState: 'scheduled', scheduledAt: children[1]!.scheduledAt });
    expect(await readChildren(services, viewer, series)).toEqual([]);
    const others = [children[0]!, ...children.slice(2)];
    const stored = await Promise.all(others.map(({ id }) => services.storedPost(viewer, id)));
    expect(datesOf(stored)).toEqual(datesOf(others));
    expect(stored.map(({ parentId, occurrenceDate }) => parentId ?? occurrenceDate)).toEqual(
      others.map(() => null),
    );
    expect(stored.map(({ text, title }) => [text, title])).toEqual([
      ['Its own', 'Title'],
      ...others.slice(1).map(() => ['Text', 'Title']),
    ]);
    await expect(services.storedPost(viewer, children[1]!.id)).rejects.toThrow('unknown');
  });

  test('a series whose occurrences all have changes of their own becomes an undated draft', async () => {
    const { viewer, series, children } = await createSeries(services);
    for (const child of children) await services.update(viewer, child, { text: 'Its own' });
    expect(updatedPost(await services.update(viewer, series, { recurring: null }))).toMatchObject({
      storedState: 'draft_undated',
      scheduledAt: null,
    });
  });

  test('the post is as approved as the occurrence that it replaces', async () => {
    const { id: workspaceId, ownerId } = await services.aWorkspace({ requiresApproval: true });
    const owner = await services.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
    const editor = await services.aViewer({ workspaceId, postActions: true });
    const post = await services.aPost({
      by: editor,
      scheduledAt: new Date('2026-12-01T09:00:00Z'),
    });
    const series = updatedPost(await services.update(editor, post, WEEKLY));
    expect(updatedPost(await services.update(owner, series, { recurring: null })).storedState).toBe(
      'scheduled_pending',
    );
  });
});
