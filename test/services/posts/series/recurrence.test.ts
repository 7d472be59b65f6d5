import { DateTime } from 'luxon';
import {
  findOccurrences,
  type RecurrenceRule,
} from '../../../../src/services/posts/series/series-dates.js';

const at = (iso: string, zone = 'UTC'): Date => DateTime.fromISO(iso, { zone }).toJSDate();
const aRule = (rule: Partial<RecurrenceRule>): RecurrenceRule => ({
  repeat: 'daily',
  repeatRate: 1,
  daysOfWeek: [],
  startDate: at('2026-01-01T09:00'),
  ...rule,
});
const FOREVER = new Date(8_640_000_000_000_000);
const shown = (dates: Date[], zone = 'UTC'): string[] =>
  dates.map((date) => DateTime.fromJSDate(date, { zone }).toFormat("yyyy-MM-dd'T'HH:mm"));
const first = (
  max: number,
  rule: Partial<RecurrenceRule>,
  zone = 'UTC',
  after = at('0001-01-01T00:00'),
): string[] => shown(findOccurrences(aRule(rule), zone, { after, max, until: FOREVER }), zone);

describe('findOccurrences', () => {
  it.each<[string, Partial<RecurrenceRule>, string[]]>([
    ['daily', {}, ['2026-01-01T09:00', '2026-01-02T09:00', '2026-01-03T09:00']],
    [
      'every third day',
      { repeatRate: 3 },
      ['2026-01-01T09:00', '2026-01-04T09:00', '2026-01-07T09:00'],
    ],
    [
      'daily on weekends',
      { daysOfWeek: [5, 6] },
      ['2026-01-03T09:00', '2026-01-04T09:00', '2026-01-10T09:00'],
    ],
    [
      'weekly on the start’s day (a Thursday)',
      { repeat: 'weekly' },
      ['2026-01-01T09:00', '2026-01-08T09:00', '2026-01-15T09:00'],
    ],
    [
      'weekly on Monday and Friday',
      { repeat: 'weekly', daysOfWeek: [4, 0, 0] },
      ['2026-01-02T09:00', '2026-01-05T09:00', '2026-01-09T09:00'],
    ],
    [
      'every second week, counted from Monday',
      { repeat: 'weekly', repeatRate: 2, daysOfWeek: [0, 4] },
      ['2026-01-02T09:00', '2026-01-12T09:00', '2026-01-16T09:00'],
    ],
    [
      'monthly',
      { repeat: 'monthly' },
      ['2026-01-01T09:00', '2026-02-01T09:00', '2026-03-01T09:00'],
    ],
    [
      'monthly on the 31st',
      { repeat: 'monthly', startDate: at('2026-01-31T09:00') },
      ['2026-01-31T09:00', '2026-03-31T09:00', '2026-05-31T09:00'],
    ],
    [
      'every second month',
      { repeat: 'monthly', repeatRate: 2 },
      ['2026-01-01T09:00', '2026-03-01T09:00', '2026-05-01T09:00'],
    ],
    ['yearly', { repeat: 'yearly' }, ['2026-01-01T09:00', '2027-01-01T09:00', '2028-01-01T09:00']],
    [
      'yearly on 29 February',
      { repeat: 'yearly', startDate: at('2092-02-29T09:00') },
      ['2092-02-29T09:00', '2096-02-29T09:00', '2104-02-29T09:00'],
    ],
  ])('%s', (_what, rule, expected) => {
    expect(first(3, rule)).toEqual(expected);
  });

  it('keeps the wall-clock time across DST, moves a skipped time forward, uses the first of two ambiguous ones', () => {
    const startDate = at('2026-03-28T02:30', 'Europe/Berlin');
    expect(first(3, { startDate }, 'Europe/Berlin')).toEqual([
      '2026-03-28T02:30',
      '2026-03-29T03:30',
      '2026-03-30T02:30',
    ]);
    const autumn = findOccurrences(aRule({ startDate }), 'Europe/Berlin', {
      after: new Date('2026-10-24T12:00Z'),
      max: 1,
      until: FOREVER,
    });
    expect(autumn).toEqual([new Date('2026-10-25T00:30Z')]);
  });

  it('begins at the start itself, even if it is the second of two ambiguous times', () => {
    const startDate = new Date('2026-10-25T01:30Z'); // 02:30 in Berlin, winter time
    expect(
      findOccurrences(aRule({ startDate }), 'Europe/Berlin', {
        after: new Date(0),
        max: 2,
        until: FOREVER,
      }),
    ).toEqual([startDate, new Date('2026-10-26T01:30Z')]);
  });

  it('returns a day that the zone skipped only once', () => {
    const startDate = at('2011-12-29T12:00', 'Pacific/Apia');
    expect(first(3, { startDate }, 'Pacific/Apia')).toEqual([
      '2011-12-29T12:00',
      '2011-12-31T12:00',
      '2012-01-01T12:00',
    ]);
  });

  it('is strictly after `after`, and includes `until` and the end date', () => {
    const window = { after: at('2026-01-02T09:00'), max: 10, until: at('2026-01-05T09:00') };
    expect(shown(findOccurrences(aRule({}), 'UTC', window))).toEqual([
      '2026-01-03T09:00',
      '2026-01-04T09:00',
      '2026-01-05T09:00',
    ]);
    expect(
      shown(findOccurrences(aRule({ endDate: at('2026-01-04T09:00') }), 'UTC', window)),
    ).toEqual(['2026-01-03T09:00', '2026-01-04T09:00']);
    expect(findOccurrences(aRule({ endDate: at('2025-01-01T00:00') }), 'UTC', window)).toEqual([]);
    expect(findOccurrences(aRule({}), 'UTC', { ...window, max: 0 })).toEqual([]);
  });

  it.each<[string, Partial<RecurrenceRule>]>([
    ['a weekday that never comes', { repeatRate: 7, daysOfWeek: [0] }],
    ['a rate past all time', { repeatRate: 2_147_483_647, startDate: at('2020-01-01T09:00') }],
    [
      'a yearly rate past all time',
      { repeat: 'yearly', repeatRate: 2_147_483_647, startDate: at('2020-01-01T09:00') },
    ],
    ['a start at the end of time', { startDate: FOREVER }],
  ])('ends for %s', (_what, rule) => {
    expect(
      findOccurrences(aRule(rule), 'Europe/Berlin', {
        after: at('2026-01-01T00:00'),
        max: 5,
        until: FOREVER,
      }).length,
    ).toBeLessThanOrEqual(1);
  });

  it.each(['daily', 'weekly', 'monthly', 'yearly'] as const)(
    'computes a %s series of the year 1 as fast as a new one',
    (repeat) => {
      const started = process.cpuUsage();
      for (let i = 0; i < 100; i++)
        first(
          5,
          { repeat, startDate: at('0001-01-01T09:00') },
          'America/New_York',
          at('2026-01-01T00:00'),
        );
      // of CPU time: other processes may use the cores meanwhile
      expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
    },
  );
});
