import fc from 'fast-check';
import {
  assignDates,
  type OccurrenceTimes,
} from '../../../src/domain/calendar/occurrence-dates.js';

const DAY_MS = 86_400_000;
/** A Monday. */
const MONDAY = Date.UTC(2027, 0, 4);
const at = (day: number, hour = 9): Date => new Date(MONDAY + day * DAY_MS + hour * 3_600_000);

interface Occurrence extends OccurrenceTimes {
  readonly name: string;
}
const occurrence = (day: number, given: Partial<Occurrence> = {}): Occurrence => ({
  name: `of day ${day}`,
  occurrenceDate: at(day),
  scheduledAt: at(day),
  ownFields: [],
  ...given,
});
const moved = (day: number, scheduledAt: Date): Occurrence =>
  occurrence(day, { scheduledAt, ownFields: ['scheduledAt'] });
const WEEKLY = { repeat: 'weekly', zone: 'UTC', exceptions: [] } as const;

it('a rule with the same dates brings back no exception, and moves nothing', () => {
  const [second, third] = [occurrence(7, { ownFields: ['text'] }), occurrence(14)];
  expect(
    assignDates([second, third], {
      ...WEEKLY,
      dates: [at(0), at(7), at(14)],
      exceptions: [at(0)],
    }),
  ).toEqual({
    dated: [
      { occurrence: second, date: at(7), scheduledAt: at(7) },
      { occurrence: third, date: at(14), scheduledAt: at(14) },
    ],
    made: [],
    removed: [],
  });
});

it('another time of the day is the same date: exceptions stay, occurrences move', () => {
  const second = occurrence(7);
  expect(
    assignDates([second], {
      ...WEEKLY,
      dates: [at(0, 18), at(7, 18)],
      exceptions: [at(0)],
    }),
  ).toEqual({
    dated: [{ occurrence: second, date: at(7, 18), scheduledAt: at(7, 18) }],
    made: [],
    removed: [],
  });
});

it('another day of the week: each occurrence stays in its week, and none without a date remains', () => {
  const weeks = [occurrence(0), occurrence(7), moved(14, at(16)), occurrence(21)];
  const { dated, made, removed } = assignDates(weeks, {
    ...WEEKLY,
    dates: [at(1), at(8), at(15), at(29)],
  });
  expect(dated.map(({ date, scheduledAt }) => [date, scheduledAt])).toEqual([
    [at(1), at(1)],
    [at(8), at(8)],
    [at(15), at(16)],
  ]);
  expect(made).toEqual([at(29)]);
  expect(removed).toEqual([weeks[3]]);
});

it('the day is that of the zone', () => {
  // 23:30 in New York is 04:30 UTC of the next day.
  const late = occurrence(0, { occurrenceDate: at(1, 4.5), scheduledAt: at(1, 4.5) });
  const change = { repeat: 'daily', exceptions: [], dates: [at(0, 15)] } as const;
  expect(assignDates([late], { ...change, zone: 'America/New_York' }).removed).toEqual([]);
  expect(assignDates([late], { ...change, zone: 'UTC' }).removed).toEqual([late]);
});

describe('for any sequence of changes of the rule, deletions, moves and edits', () => {
  const DAYS = 40;
  type Status = 'live' | 'moved' | 'exception';
  const rule = fc.record({
    repeat: fc.constantFrom('daily' as const, 'weekly' as const),
    days: fc
      .uniqueArray(fc.integer({ min: 0, max: DAYS - 1 }), { minLength: 1, maxLength: DAYS })
      .map((days) => days.sort((a, b) => a - b)),
    hour: fc.integer({ min: 0, max: 23 }),
  });
  type Rule = typeof rule extends fc.Arbitrary<infer Value> ? Value : never;
  const step = fc.oneof(
    fc.record({ kind: fc.constant('rule' as const), rule }),
    fc.record({
      kind: fc.constantFrom('except' as const, 'move' as const),
      which: fc.nat(),
      to: fc.integer({ min: 0, max: 23 }),
    }),
  );

  /** The calendar by brute force: for each day, what became of its occurrence. */
  type Calendar = Map<number, { name: string; status: Status }>;
  function changeRule(calendar: Calendar, { repeat, days }: Rule): void {
    for (let day = 0; day < DAYS; day++) {
      const known = calendar.get(day);
      if (!known || known.status === 'exception' || days.includes(day)) continue;
      const monday = day - (day % 7);
      const week = repeat === 'daily' ? [] : [0, 1, 2, 3, 4, 5, 6].map((n) => monday + n);
      const other = week.find((one) => days.includes(one) && !calendar.has(one));
      if (other !== undefined) calendar.set(other, known);
      if (other !== undefined || known.status === 'live') calendar.delete(day);
    }
  }

  it('equals a calendar that looks at each day', () => {
    fc.assert(
      fc.property(rule, fc.array(step, { maxLength: 12 }), (first, steps) => {
        const calendar: Calendar = new Map();
        let occurrences: Occurrence[] = [];
        const exceptions: Date[] = [];
        let created = 0;
        const apply = ({ repeat, days, hour }: Rule): void => {
          const dates = days.map((day) => at(day, hour));
          const { dated, made } = assignDates(occurrences, {
            repeat,
            zone: 'UTC',
            dates,
            exceptions,
          });
          occurrences = [
            ...dated.map((one) => ({
              ...one.occurrence,
              occurrenceDate: one.date,
              scheduledAt: one.scheduledAt,
            })),
            ...made.map((date) => ({
              ...occurrence(0),
              name: `post ${created++}`,
              occurrenceDate: date,
              scheduledAt: date,
            })),
          ];
          changeRule(calendar, { repeat, days, hour });
          let number = created - made.length;
          for (const day of days)
            if (!calendar.has(day)) calendar.set(day, { name: `post ${number++}`, status: 'live' });
          expect(number).toBe(created);
        };
        const dayOf = (one: Occurrence): number =>
          Math.floor((one.occurrenceDate!.getTime() - MONDAY) / DAY_MS);
        apply(first);
        for (const one of steps) {
          if (one.kind === 'rule') apply(one.rule);
          else if (occurrences.length > 0) {
            const chosen = occurrences[one.which % occurrences.length]!;
            const entry = calendar.get(dayOf(chosen))!;
            occurrences = occurrences.filter((other) => other !== chosen);
            if (one.kind === 'except') {
              exceptions.push(chosen.occurrenceDate!);
              entry.status = 'exception';
            } else {
              occurrences.push({
                ...chosen,
                scheduledAt: at(99, one.to),
                ownFields: ['scheduledAt'],
              });
              entry.status = 'moved';
            }
          }
          const isMoved = (other: Occurrence): boolean => other.ownFields.length > 0;
          expect(
            occurrences
              .map((other) => [dayOf(other), other.name, isMoved(other) ? 'moved' : 'live'])
              .sort(([a], [b]) => Number(a) - Number(b)),
          ).toEqual(
            [...calendar]
              .filter(([, { status }]) => status !== 'exception')
              .map(([day, { name, status }]) => [day, name, status])
              .sort(([a], [b]) => Number(a) - Number(b)),
          );
        }
      }),
      { numRuns: 500 },
    );
  });
});
