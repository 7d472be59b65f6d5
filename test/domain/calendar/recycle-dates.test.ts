import { addGap, nextRecycleDate, recycleDates } from '../../../src/domain/calendar/recycling.js';

const BERLIN = 'Europe/Berlin';
const at = (text: string): Date => new Date(text);

test.each([
  ['2027-03-27T08:00:00Z', 1, 'days', '2027-03-28T07:00:00Z'],
  ['2027-10-30T07:00:00Z', 1, 'weeks', '2027-11-06T08:00:00Z'],
  ['2027-03-27T01:30:00Z', 1, 'days', '2027-03-28T01:30:00Z'], // 02:30 does not exist
  ['2027-01-31T09:00:00Z', 1, 'months', '2027-02-28T09:00:00Z'],
  ['2028-01-31T09:00:00Z', 1, 'months', '2028-02-29T09:00:00Z'],
  ['2027-11-30T09:00:00Z', 3, 'months', '2028-02-29T09:00:00Z'],
] as const)('from %s, %i %s later is %s in Berlin', (from, gap, gapFreq, to) => {
  expect(addGap(at(from), { gap, gapFreq, zone: BERLIN })).toEqual(at(to));
});

const post = (recycling: object, publishedCount = 0) => ({
  recycling: { gap: 1, gapFreq: 'weeks' as const, ...recycling },
  scheduledAt: at('2027-03-20T08:00:00Z'),
  publishedCount,
});
const datesOf = (...given: Parameters<typeof post>) =>
  [...recycleDates(post(...given), BERLIN)].map((date) => date.toISOString().slice(0, 16));

test('a number of recycles follows the first publication', () => {
  expect(datesOf({ expireCount: 2 })).toEqual(['2027-03-27T08:00', '2027-04-03T07:00']);
  expect(datesOf({ expireCount: 2 }, 1)).toEqual(['2027-03-27T08:00']);
  expect(datesOf({ expireCount: 2 }, 2)).toEqual([]);
});

test('the expiry date is the last day, in the zone', () => {
  expect(datesOf({ expireDate: '2027-04-03' })).toHaveLength(2);
  expect(datesOf({ expireDate: '2027-04-02' })).toHaveLength(1);
});

test('the next date skips what has passed', () => {
  const now = at('2027-04-05T00:00:00Z');
  expect(nextRecycleDate(post({}), BERLIN, now)).toEqual(at('2027-04-10T07:00:00Z'));
  expect(nextRecycleDate(post({ expireCount: 2 }), BERLIN, now)).toBeNull();
});

test('a post without recycling or date has no dates', () => {
  expect([...recycleDates({ ...post({}), recycling: null }, BERLIN)]).toEqual([]);
  expect([...recycleDates({ ...post({}), scheduledAt: null }, BERLIN)]).toEqual([]);
});
