import fc from 'fast-check';
import type { RecurringRule } from '../../../../src/domain/posts/post-settings.js';
import {
  LAST_DATE,
  NEVER,
  nextExtensionAt,
  planExtension,
  upcomingDates,
} from '../../../../src/services/posts/series/series-dates.js';

const HOUR_MS = 3_600_000;
const START = new Date('2026-03-27T08:30:00Z');

const anyRule: fc.Arbitrary<RecurringRule> = fc.record(
  {
    repeat: fc.constantFrom('daily', 'weekly', 'monthly', 'yearly'),
    repeatRate: fc.integer({ min: 1, max: 9 }),
    daysOfWeek: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
    startDate: fc.constant(START.toISOString()),
    endDate: fc.constantFrom('2026-05-01T00:00:00Z', '2027-10-31T00:00:00Z'),
  },
  { requiredKeys: ['repeat', 'repeatRate', 'daysOfWeek', 'startDate'] },
);
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu');
/** Hours between the checks of a worker: seconds or, while no worker runs, months. */
const pauses = fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ max: 9_000 })), {
  minLength: 5,
  maxLength: 40,
});

it('as time passes, a series has exactly the upcoming occurrences, each created once', () => {
  fc.assert(
    fc.property(anyRule, zone, pauses, (recurring, timeZone, hours) => {
      let now = new Date(START.getTime() - HOUR_MS);
      const planned = upcomingDates(recurring, timeZone, now);
      fc.pre(planned.length > 0);
      const created = [...planned];
      let series = {
        recurring,
        scheduledAt: planned[0]!,
        extendAt: nextExtensionAt(recurring, timeZone, planned),
      };
      for (const pause of hours) {
        now = new Date(now.getTime() + Math.abs(pause) * HOUR_MS);
        if (now >= LAST_DATE) break;
        if (series.extendAt <= now) {
          const { dates, next, extendAt } = planExtension(series, timeZone, now);
          created.push(...dates);
          series = { recurring, scheduledAt: next ?? series.scheduledAt, extendAt };
          expect(extendAt.getTime()).toBeGreaterThan(now.getTime());
        }
        const upcoming = upcomingDates(recurring, timeZone, now);
        expect(created.filter((date) => date > now)).toEqual(upcoming);
        expect(series.scheduledAt).toEqual(upcoming[0] ?? series.scheduledAt);
        expect(series.extendAt === NEVER || series.extendAt > now).toBe(true);
      }
      expect(new Set(created.map(Number)).size).toBe(created.length);
    }),
    { numRuns: 300 },
  );
});

it('a series without a stored time is extended at its next date', () => {
  const recurring: RecurringRule = { repeat: 'daily', startDate: START.toISOString() };
  const [first, second] = upcomingDates(recurring, 'UTC', new Date(START.getTime() - 1));
  const series = { recurring, scheduledAt: first!, extendAt: null };
  const { dates, next } = planExtension(series, 'UTC', first!);
  expect([dates.length, next]).toEqual([1, second]);
});
