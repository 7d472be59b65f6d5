import fc from 'fast-check';
import { DateTime } from 'luxon';
import { occurrences, type RecurrenceRule } from '../../src/services/posts/recurrence.js';

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
): string[] => shown(occurrences(aRule(rule), zone, { after, max, until: FOREVER }), zone);

describe('occurrences', () => {
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

  it('keeps the wall-clock time across DST, moves a skipped one forward, takes the first of two', () => {
    const startDate = at('2026-03-28T02:30', 'Europe/Berlin');
    expect(first(3, { startDate }, 'Europe/Berlin')).toEqual([
      '2026-03-28T02:30',
      '2026-03-29T03:30',
      '2026-03-30T02:30',
    ]);
    const autumn = occurrences(aRule({ startDate }), 'Europe/Berlin', {
      after: new Date('2026-10-24T12:00Z'),
      max: 1,
      until: FOREVER,
    });
    expect(autumn).toEqual([new Date('2026-10-25T00:30Z')]);
  });

  it('begins at the start itself, also where that is the second of two', () => {
    const startDate = new Date('2026-10-25T01:30Z'); // 02:30 in Berlin, winter time
    expect(
      occurrences(aRule({ startDate }), 'Europe/Berlin', {
        after: new Date(0),
        max: 2,
        until: FOREVER,
      }),
    ).toEqual([startDate, new Date('2026-10-26T01:30Z')]);
  });

  it('gives a day that a zone skipped once, not twice', () => {
    const startDate = at('2011-12-29T12:00', 'Pacific/Apia');
    expect(first(3, { startDate }, 'Pacific/Apia')).toEqual([
      '2011-12-29T12:00',
      '2011-12-31T12:00',
      '2012-01-01T12:00',
    ]);
  });

  it('is strictly after `after`, and includes `until` and the end date', () => {
    const window = { after: at('2026-01-02T09:00'), max: 10, until: at('2026-01-05T09:00') };
    expect(shown(occurrences(aRule({}), 'UTC', window))).toEqual([
      '2026-01-03T09:00',
      '2026-01-04T09:00',
      '2026-01-05T09:00',
    ]);
    expect(shown(occurrences(aRule({ endDate: at('2026-01-04T09:00') }), 'UTC', window))).toEqual([
      '2026-01-03T09:00',
      '2026-01-04T09:00',
    ]);
    expect(occurrences(aRule({ endDate: at('2025-01-01T00:00') }), 'UTC', window)).toEqual([]);
    expect(occurrences(aRule({}), 'UTC', { ...window, max: 0 })).toEqual([]);
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
      occurrences(aRule(rule), 'Europe/Berlin', {
        after: at('2026-01-01T00:00'),
        max: 5,
        until: FOREVER,
      }).length,
    ).toBeLessThanOrEqual(1);
  });

  it.each(['daily', 'weekly', 'monthly', 'yearly'] as const)(
    'reads a %s series of the year 1 as fast as a new one',
    (repeat) => {
      const started = performance.now();
      for (let i = 0; i < 100; i++)
        first(
          5,
          { repeat, startDate: at('0001-01-01T09:00') },
          'America/New_York',
          at('2026-01-01T00:00'),
        );
      expect(performance.now() - started).toBeLessThan(1_000);
    },
  );
});

describe('any series', () => {
  const zone = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Sao_Paulo',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
  );
  const time = fc
    .integer({ min: Date.UTC(2005, 0) / 1000, max: Date.UTC(2035, 0) / 1000 })
    .map((seconds) => new Date(seconds * 1000));
  const rule = fc.record({
    repeat: fc.constantFrom(
      'daily' as const,
      'weekly' as const,
      'monthly' as const,
      'yearly' as const,
    ),
    repeatRate: fc.integer({ min: 1, max: 5 }),
    daysOfWeek: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 7 }),
    startDate: time,
    endDate: fc.option(time, { nil: null }),
  });

  /** Every day from the start on, asked whether it belongs: slow, and with luxon instead of our own sums. */
  function slowly(
    series: RecurrenceRule,
    name: string,
    window: { after: Date; max: number; until: Date },
  ): Date[] {
    const start = DateTime.fromJSDate(series.startDate, { zone: name });
    const calendar = (date: DateTime): DateTime => DateTime.utc(date.year, date.month, date.day);
    const startDay = calendar(start);
    const found: Date[] = [];
    const last = Math.min(window.until.getTime(), series.endDate?.getTime() ?? Infinity);
    for (let day = startDay; day.toMillis() - 2 * 86_400_000 <= last; day = day.plus({ days: 1 })) {
      const weekday = day.weekday - 1;
      const since = {
        daily: () => day.diff(startDay, 'days').days,
        weekly: () => day.startOf('week').diff(startDay.startOf('week'), 'weeks').weeks,
        monthly: () =>
          day.day === start.day ? (day.year - start.year) * 12 + day.month - start.month : NaN,
        yearly: () =>
          day.day === start.day && day.month === start.month ? day.year - start.year : NaN,
      }[series.repeat]();
      const days = series.daysOfWeek.length > 0 ? series.daysOfWeek : [startDay.weekday - 1];
      const isWanted = {
        daily: series.daysOfWeek.length === 0 || days.includes(weekday),
        weekly: days.includes(weekday),
        monthly: true,
        yearly: true,
      }[series.repeat];
      if (since % series.repeatRate !== 0 || !isWanted) continue;
      const wall = DateTime.fromObject(
        {
          year: day.year,
          month: day.month,
          day: day.day,
          hour: start.hour,
          minute: start.minute,
          second: start.second,
        },
        { zone: name },
      );
      const instant =
        +day === +startDay
          ? series.startDate.getTime()
          : Math.min(...wall.getPossibleOffsets().map((one) => one.toMillis()));
      if (
        instant > window.after.getTime() &&
        instant <= last &&
        instant !== found.at(-1)?.getTime()
      )
        found.push(new Date(instant));
    }
    return found.slice(0, window.max);
  }

  it('is what asking every single day gives', () => {
    fc.assert(
      fc.property(
        rule,
        zone,
        fc.integer({ min: -50, max: 400 }),
        fc.integer({ min: 0, max: 500 }),
        (series, name, skipped, length) => {
          const after = new Date(series.startDate.getTime() + skipped * 86_400_000);
          const window = { after, max: 40, until: new Date(after.getTime() + length * 86_400_000) };
          expect(occurrences(series, name, window)).toEqual(slowly(series, name, window));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is sorted, without repeats, on its weekdays, at its wall-clock time but for skipped ones', () => {
    fc.assert(
      fc.property(rule, zone, time, (series, name, after) => {
        const dates = occurrences(series, name, { after, max: 60, until: FOREVER });
        const wallStart = DateTime.fromJSDate(series.startDate, { zone: name });
        let previous = after.getTime();
        for (const date of dates) {
          expect(date.getTime()).toBeGreaterThan(previous);
          previous = date.getTime();
          const wall = DateTime.fromJSDate(date, { zone: name });
          const isShifted = wall.toFormat('HHmmss') !== wallStart.toFormat('HHmmss');
          if (isShifted) expect(wall.minus({ hours: 3 }).offset).not.toBe(wall.offset);
          if (!isShifted && series.repeat === 'weekly' && series.daysOfWeek.length > 0)
            expect(series.daysOfWeek).toContain(wall.weekday - 1);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('reads on from its own last date without gap or repeat', () => {
    fc.assert(
      fc.property(rule, zone, (series, name) => {
        const window = { after: new Date(0), max: 20, until: FOREVER };
        const whole = occurrences(series, name, window);
        const half = whole.slice(0, Math.ceil(whole.length / 2));
        const rest = occurrences(series, name, {
          ...window,
          after: half.at(-1) ?? window.after,
          max: 20 - half.length,
        });
        expect([...half, ...rest]).toEqual(whole);
      }),
    );
  });
});
