import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  findOccurrences,
  type RecurrenceRule,
} from '../../../../src/services/posts/series/series-dates.js';

const FOREVER = new Date(8_640_000_000_000_000);

describe('findOccurrences, for any series', () => {
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

  /** Checks every day from the start on: slow, and with luxon's arithmetic. */
  function referenceDates(
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

  it('equals a reference implementation that checks every day', () => {
    fc.assert(
      fc.property(
        rule,
        zone,
        fc.integer({ min: -50, max: 400 }),
        fc.integer({ min: 0, max: 500 }),
        (series, name, skipped, length) => {
          const after = new Date(series.startDate.getTime() + skipped * 86_400_000);
          const window = { after, max: 40, until: new Date(after.getTime() + length * 86_400_000) };
          expect(findOccurrences(series, name, window)).toEqual(
            referenceDates(series, name, window),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is sorted, distinct, on the rule’s weekdays, and at its wall-clock time except for skipped times', () => {
    fc.assert(
      fc.property(rule, zone, time, (series, name, after) => {
        const dates = findOccurrences(series, name, { after, max: 60, until: FOREVER });
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

  it('continues from its own last date without gaps or repetitions', () => {
    fc.assert(
      fc.property(rule, zone, (series, name) => {
        const window = { after: new Date(0), max: 20, until: FOREVER };
        const whole = findOccurrences(series, name, window);
        const half = whole.slice(0, Math.ceil(whole.length / 2));
        const rest = findOccurrences(series, name, {
          ...window,
          after: half.at(-1) ?? window.after,
          max: 20 - half.length,
        });
        expect([...half, ...rest]).toEqual(whole);
      }),
    );
  });
});
