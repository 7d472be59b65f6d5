import { NOW, refusalsOf, updatedPost, withServices } from '../../../fixtures/services.js';
import { createSeries, datesOf, readChildren } from './four-day-series.js';

const services = withServices();

test.each([
  ['ends yesterday', { startDate: '2026-10-01', endDate: '2026-10-02' }],
  ['starts after the last possible date', { startDate: '2500-01-01', endDate: null }],
])('a rule that %s is refused on a series, and changes nothing', async (_which, recurring) => {
  const { viewer, series, children } = await createSeries(services);
  expect(NOW.toISOString() > '2026-10-02').toBe(true);
  const outcome = await services.update(viewer, series, { recurring });
  expect(refusalsOf(outcome)).toEqual(['RULE_VIOLATION recurring']);
  expect(outcome).toMatchObject({
    refusals: [{ message: expect.stringContaining('from now until 2100-12-31') }],
  });
  expect(await services.storedPost(viewer, series.id)).toEqual(series);
  expect(await readChildren(services, viewer, series)).toEqual(children);
});

test('a moved child keeps its date of the rule: the rule creates no other one for it', async () => {
  const { viewer, series, children } = await createSeries(services);
  // the first child moves behind the last one
  const moved = new Date('2026-12-06T10:00:00Z');
  updatedPost(await services.update(viewer, children[0]!, { scheduledAt: moved }));
  updatedPost(
    await services.update(viewer, series, { recurring: { endDate: '2026-12-08T23:00:00Z' } }),
  );
  expect(datesOf(await readChildren(services, viewer, series))).toEqual([
    '2026-12-02T09:00',
    '2026-12-03T09:00',
    '2026-12-04T09:00',
    '2026-12-05T09:00',
    '2026-12-06T09:00',
    '2026-12-06T10:00',
    '2026-12-07T09:00',
    '2026-12-08T09:00',
  ]);
});

test('moved children keep their times if the rule does not have their dates any more', async () => {
  const { viewer, series, children } = await createSeries(services);
  for (const [index, hour] of [10, 11].entries())
    updatedPost(
      await services.update(viewer, children[index]!, {
        scheduledAt: new Date(`2026-12-0${index + 1}T${hour}:00:00Z`),
      }),
    );
  updatedPost(
    await services.update(viewer, series, { recurring: { endDate: '2026-12-01T20:00:00Z' } }),
  );
  expect(datesOf(await readChildren(services, viewer, series))).toEqual([
    '2026-12-01T10:00',
    '2026-12-02T11:00',
  ]);
});

test('the children that remain after the end of a series are independent posts', async () => {
  const { viewer, series, children } = await createSeries(services);
  await services.sql('UPDATE post SET stored_state = 10 WHERE id = $1', children[0]!.databaseId);
  updatedPost(await services.update(viewer, series, { recurring: null }));
  expect(await readChildren(services, viewer, series)).toEqual([]);
  expect((await services.storedPost(viewer, children[0]!.id)).parentId).toBeNull();
  expect((await services.storedPost(viewer, children[0]!.id)).storedState).toBe('published_posted');
});
