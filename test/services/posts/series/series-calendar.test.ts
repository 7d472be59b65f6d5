import fc from 'fast-check';
import type { Post } from '../../../../src/domain/posts/post.js';
import type { Viewer } from '../../../../src/domain/access/viewer.js';
import { ACTION_CALLS } from '../../../fixtures/action-calls.js';
import { actionRefusals, updatedPost, withServices } from '../../../fixtures/services.js';
import { createSeries, START } from './four-day-series.js';

const services = withServices();
const DAY_MS = 86_400_000;
const DAYS = 8;
const dateOf = (day: number): Date => new Date(START.getTime() + day * DAY_MS);
const dayOf = (date: Date): number => Math.floor((date.getTime() - START.getTime()) / DAY_MS);

type Status = 'live' | 'moved' | 'draft' | 'shared' | 'deleted';
/** What became of the occurrence of a day. */
interface Entry {
  readonly id: string;
  readonly text: string;
  readonly hasOwnText: boolean;
  readonly status: Status;
}
interface Deleted extends Entry {
  readonly day: number;
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('rule' as const),
    repeatRate: fc.integer({ min: 1, max: 3 }),
    last: fc.integer({ min: 0, max: DAYS - 1 }),
  }),
  fc.record({
    kind: fc.constantFrom('delete', 'move', 'edit', 'draft', 'share', 'restore', 'edit_series'),
    which: fc.nat(),
  }),
);

/** Changes a series, and a calendar that knows what became of each day. */
async function runSteps(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) {
  const { viewer, account, series, children } = await createSeries(services, {
    recurring: { repeat: 'daily', repeatRate: 1, endDate: dateOf(3).toISOString() },
  });
  await services.sql('UPDATE account SET sandbox = true WHERE id = $1', account.id);
  const calendar = new Map<number, Entry>(
    children.map(({ id, text }, day) => [
      day,
      { id, text: text!, hasOwnText: false, status: 'live' },
    ]),
  );
  const deleted: Deleted[] = [];
  let rule = { repeatRate: 1, last: 3 };
  let seriesText = 'Text';
  const isOfRule = (day: number): boolean => day <= rule.last && day % rule.repeatRate === 0;
  const act = (id: string, name: 'move_to_drafts' | 'share_now' | 'restore') =>
    services.act(viewer, [{ id }], ACTION_CALLS[name]({ at: START, accountId: null }));

  for (const [index, one] of steps.entries()) {
    if (one.kind === 'rule') {
      rule = { repeatRate: one.repeatRate, last: one.last };
      const recurring = { repeatRate: one.repeatRate, endDate: dateOf(one.last).toISOString() };
      updatedPost(await services.update(viewer, series, { recurring }));
      for (const [day, entry] of calendar)
        if (entry.status === 'live' && !isOfRule(day)) {
          calendar.delete(day);
          deleted.push({ ...entry, day });
        }
      for (let day = 0; day < DAYS; day++)
        if (isOfRule(day) && !calendar.has(day))
          calendar.set(day, { id: '', text: seriesText, hasOwnText: false, status: 'live' });
    } else if (one.kind === 'edit_series') {
      seriesText = `Series ${index}`;
      updatedPost(await services.update(viewer, series, { text: seriesText }));
      for (const [day, entry] of calendar)
        if (['live', 'moved'].includes(entry.status) && !entry.hasOwnText)
          calendar.set(day, { ...entry, text: seriesText });
    } else if (one.kind === 'restore') {
      const chosen = deleted[one.which % deleted.length];
      if (!chosen) continue;
      const { day, ...entry } = chosen;
      const outcome = await act(chosen.id, 'restore');
      const isTaken = calendar.has(day) && calendar.get(day)!.status !== 'deleted';
      expect(actionRefusals(outcome)).toEqual(isTaken ? ['RULE_VIOLATION'] : []);
      if (isTaken) continue;
      deleted.splice(deleted.indexOf(chosen), 1);
      const keepsTime = entry.status === 'live' && !isOfRule(day);
      calendar.set(day, { ...entry, status: keepsTime ? 'moved' : entry.status });
    } else {
      const future = [...calendar].filter(([, { status }]) => ['live', 'moved'].includes(status));
      const chosen = future[one.which % future.length];
      if (!chosen) continue;
      const [day, entry] = chosen;
      calendar.set(day, await changed(viewer, entry, { kind: one.kind, index }));
      if (one.kind === 'delete') deleted.push({ ...entry, day });
    }
    await expectCalendar(series, calendar);
  }

  async function changed(
    by: Viewer,
    entry: Entry,
    { kind, index }: { kind: string; index: number },
  ): Promise<Entry> {
    const post = { id: entry.id };
    const text = `Own ${index}`;
    switch (kind) {
      case 'delete':
        await services.remove(by, [entry.id]);
        return { ...entry, status: 'deleted' };
      case 'move':
        updatedPost(await services.update(by, post, { scheduledAt: dateOf(50 + index) }));
        return { ...entry, status: 'moved' };
      case 'edit':
        updatedPost(await services.update(by, post, { text }));
        return { ...entry, text, hasOwnText: true };
      case 'draft':
        expect(actionRefusals(await act(entry.id, 'move_to_drafts'))).toEqual([]);
        return { ...entry, status: 'draft' };
      default:
        expect(actionRefusals(await act(entry.id, 'share_now'))).toEqual([]);
        return { ...entry, status: 'shared' };
    }
  }
}

/** The posts of the series are those of the calendar; new ones get their IDs in it. */
async function expectCalendar(series: Post, calendar: Map<number, Entry>): Promise<void> {
  const rows = await services.sql<{ id: string; text: string; date: Date }>(
    'SELECT p.doc_id AS id, b.text, p.occurrence_date AS date FROM post p JOIN post_body b ON b.post_id = p.id WHERE p.parent_id = $1 AND p.deleted_at IS NULL ORDER BY p.occurrence_date',
    series.databaseId,
  );
  for (const { id, date } of rows) {
    const entry = calendar.get(dayOf(date));
    if (entry?.id === '') calendar.set(dayOf(date), { ...entry, id });
  }
  expect(rows.map(({ id, text, date }) => [dayOf(date), id, text])).toEqual(
    [...calendar]
      .filter(([, { status }]) => status !== 'deleted')
      .sort(([a], [b]) => a - b)
      .map(([day, { id, text }]) => [day, id, text]),
  );
}

test('after any changes, a series has the posts of a calendar that looks at each day', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), runSteps), {
    numRuns: 12,
  });
});
