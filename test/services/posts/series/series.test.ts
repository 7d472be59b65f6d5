import type { Post } from '../../../../src/domain/posts/post.js';
import type { PostPatch } from '../../../../src/domain/posts/post-fields.js';
import type { Viewer } from '../../../../src/domain/access/viewer.js';
import { updatedPost, withServices } from '../../../fixtures/services.js';
import { createSeries, FOUR_DAYS, readChildren, START, datesOf } from './four-day-series.js';

const services = withServices();

const childrenOf = (viewer: Viewer, series: Post): Promise<Post[]> =>
  readChildren(services, viewer, series);
const aSeries = (patch?: PostPatch): ReturnType<typeof createSeries> =>
  createSeries(services, patch);

test('a scheduled post with a rule becomes a series with a child for each date', async () => {
  const { viewer, series, children } = await aSeries();
  expect(series).toMatchObject({
    storedState: 'recurring',
    version: 2,
    scheduledAt: START,
    recurring: {
      repeat: 'daily',
      repeatRate: 1,
      startDate: '2026-12-01T09:00:00Z',
      endDate: '2026-12-04T22:59:59Z',
    },
  });
  expect(await services.storedPost(viewer, series.id)).toEqual({
    ...series,
    user: expect.anything(),
  });
  expect(datesOf(children)).toEqual([
    '2026-12-01T09:00',
    '2026-12-02T09:00',
    '2026-12-03T09:00',
    '2026-12-04T09:00',
  ]);
  for (const child of children) {
    expect(child).toMatchObject({
      storedState: 'scheduled',
      version: 1,
      text: 'Text',
      labels: series.labels,
      media: series.media,
      recurring: null,
      parentId: series.databaseId,
      ownFields: [],
    });
  }
  expect(
    await services.sql(
      'SELECT count(*)::int AS n FROM cap_slot WHERE account_id = $1',
      series.accountId,
    ),
  ).toEqual([{ n: 4 }]);
});

test('a rule and a new date in one update: the series starts at the new date', async () => {
  const { series, children } = await aSeries({
    ...FOUR_DAYS,
    scheduledAt: new Date('2026-12-03T20:00:00Z'),
  });
  expect(series.scheduledAt).toEqual(new Date('2026-12-03T20:00:00Z'));
  expect(datesOf(children)).toEqual(['2026-12-03T20:00', '2026-12-04T20:00']);
});

test('the wall-clock time of the workspace’s zone is kept across DST', async () => {
  const { children } = await aSeries({
    recurring: {
      repeat: 'weekly',
      startDate: '2027-03-15T09:00:00Z',
      endDate: '2027-04-05',
      daysOfWeek: [0],
    },
  });
  expect(datesOf(children)).toEqual([
    '2027-03-15T09:00',
    '2027-03-22T09:00',
    '2027-03-29T08:00',
    '2027-04-05T08:00',
  ]);
});

test('an edit applies to the children, except for fields that a child changed itself', async () => {
  const { viewer, series, children } = await aSeries();
  const [own, other] = children as [Post, Post];
  expect(
    updatedPost(await services.update(viewer, own, { text: 'Own', title: null })).ownFields,
  ).toEqual(['text']);
  await services.update(viewer, series, {
    text: 'All',
    title: 'Title',
    labels: [{ name: 'two' }],
    link: { title: 'L' },
  });
  expect(await services.storedPost(viewer, own.id)).toMatchObject({
    text: 'Own',
    title: 'Title',
    version: 3,
    labels: [{ name: 'two' }],
  });
  expect(await services.storedPost(viewer, other.id)).toMatchObject({
    text: 'All',
    title: 'Title',
    version: 2,
    link: { title: 'L' },
  });
  await services.update(viewer, series, { text: 'All', labels: [{ name: 'TWO' }] });
  expect((await services.storedPost(viewer, other.id)).version).toBe(2);
});

test('a child’s url counts as its own after a change of url or link.url', async () => {
  const { viewer, series, children } = await aSeries();
  await services.update(viewer, children[0]!, { link: { url: 'https://own.example' } });
  await services.update(viewer, series, { url: 'https://all.example' });
  expect((await childrenOf(viewer, series)).map((child) => child.url)).toEqual([
    'https://own.example',
    ...Array(3).fill('https://all.example'),
  ]);
});

test('a changed rule keeps the children of its dates and moved ones, creates missing and removes others', async () => {
  const { viewer, series, children } = await aSeries();
  await services.update(viewer, children[1]!, { scheduledAt: new Date('2026-12-02T20:00:00Z') });
  const longer = updatedPost(
    await services.update(viewer, series, { recurring: { repeatRate: 2, endDate: '2026-12-09' } }),
  );
  expect(longer).toMatchObject({ version: 3, scheduledAt: START });
  const now = await childrenOf(viewer, series);
  expect(datesOf(now)).toEqual([
    '2026-12-01T09:00',
    '2026-12-02T20:00',
    '2026-12-03T09:00',
    '2026-12-05T09:00',
    '2026-12-07T09:00',
    '2026-12-09T09:00',
  ]);
  expect(now.slice(0, 3)).toMatchObject(children.slice(0, 3).map(({ id }) => ({ id })));
  expect(now.map((child) => child.version)).toEqual([1, 2, 1, 1, 1, 1]);
  await services.update(viewer, series, { recurring: { endDate: '2026-12-03' } });
  expect(datesOf(await childrenOf(viewer, series))).toEqual([
    '2026-12-01T09:00',
    '2026-12-02T20:00',
    '2026-12-03T09:00',
  ]);
  expect(
    await services.sql(
      'SELECT count(*)::int AS n FROM cap_slot WHERE account_id = $1',
      series.accountId,
    ),
  ).toEqual([{ n: 3 }]);
});

test('a series that starts beyond the horizon has its next date, and one child at that date', async () => {
  const { viewer, series } = await aSeries();
  const start = new Date('2028-06-01T07:00:00Z');
  const moved = updatedPost(
    await services.update(viewer, series, {
      recurring: { startDate: start.toISOString(), endDate: null },
    }),
  );
  expect(moved.scheduledAt).toEqual(start);
  expect(datesOf(await childrenOf(viewer, series))).toEqual(['2028-06-01T07:00']);
  expect(updatedPost(await services.update(viewer, series, { recurring: null }))).toMatchObject({
    storedState: 'scheduled',
    scheduledAt: start,
  });
});

test('published and queued children are not changed, and no second child is created for the date of a queued one', async () => {
  const { viewer, account, series, children } = await aSeries();
  const published = await services.aPost({
    by: viewer,
    storedState: 'published_posted',
    account,
    parentId: series.databaseId,
    text: 'Published',
  });
  await services.sql('UPDATE post SET queued_at = now() WHERE id = $1', children[0]!.databaseId);
  await services.update(viewer, series, { text: 'New', recurring: { endDate: '2026-12-05' } });
  const now = await childrenOf(viewer, series);
  expect(now.map((child) => [child.id, child.text, datesOf([child])[0]])).toEqual([
    [published.id, 'Published', datesOf([published])[0]],
    [children[0]!.id, 'Text', '2026-12-01T09:00'],
    ...children.slice(1).map((child, n) => [child.id, 'New', `2026-12-0${n + 2}T09:00`]),
    [now.at(-1)!.id, 'New', '2026-12-05T09:00'],
  ]);
});
