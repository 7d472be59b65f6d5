import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  minuteOfWeek,
  slotOfMinute,
  slotsOfMinutes,
} from '../../../src/domain/publishing/posting-schedule.js';
import { slotTimes } from '../../../src/services/posting-schedules/slot-finder.js';

const DAY_MS = 86_400_000;
const WEEK_MINUTES = 7 * 1_440;

const timesOf = (timeZone: string, slots: Parameters<typeof minuteOfWeek>[0][], day: string) => {
  const from = DateTime.fromISO(day, { zone: timeZone }).toJSDate();
  const until = new Date(from.getTime() + 1.9 * DAY_MS);
  return [...slotTimes({ timeZone, slots }, from, until)].map((at) => at.toISOString());
};

it('slots keep their local time when daylight saving time begins and ends', () => {
  const slots = slotsOfMinutes([5, 6, 0].map((day) => day * 1_440 + 9 * 60));
  expect(timesOf('Europe/Berlin', slots, '2027-03-27')).toEqual([
    '2027-03-27T08:00:00.000Z',
    '2027-03-28T07:00:00.000Z',
  ]);
  expect(timesOf('Europe/Berlin', slots, '2027-10-30')).toEqual([
    '2027-10-30T07:00:00.000Z',
    '2027-10-31T08:00:00.000Z',
  ]);
});

it('slots that are skipped move to the next minute that exists, once', () => {
  const slots = ['01:59', '02:00', '02:30', '03:00', '03:01'].map((time) => ({
    weekday: 'sunday' as const,
    time,
  }));
  expect(timesOf('Europe/Berlin', slots, '2027-03-28')).toEqual([
    '2027-03-28T00:59:00.000Z',
    '2027-03-28T01:00:00.000Z',
    '2027-03-28T01:01:00.000Z',
  ]);
});

it('of a local time that occurs twice, the first counts', () => {
  const slots = [{ weekday: 'sunday' as const, time: '02:30' }];
  expect(timesOf('Europe/Berlin', slots, '2027-10-31')).toEqual(['2027-10-31T00:30:00.000Z']);
});

it('a slot on a day that the zone skips moves to the next day', () => {
  const slots = [{ weekday: 'friday' as const, time: '12:00' }];
  // Samoa had no 30 December 2011, a Friday.
  const period = [new Date('2011-12-29T10:00:00Z'), new Date('2011-12-31T00:00:00Z')] as const;
  expect([...slotTimes({ timeZone: 'Pacific/Apia', slots }, ...period)]).toEqual([
    new Date('2011-12-30T10:00:00Z'),
  ]);
});

/** Every minute of the period, with its local time: slow, and with luxon's arithmetic. */
function referenceTimes(zone: string, minutes: readonly number[], from: Date, until: Date): Date[] {
  const times = new Set<number>();
  const seen = new Set<string>();
  let open: string[] = [];
  const wanted = new Set(minutes);
  const start = DateTime.fromJSDate(from, { zone }).minus({ days: 2 }).toMillis();
  let previous: DateTime | null = null;
  for (let at = Math.ceil(start / 60_000) * 60_000; at <= until.getTime(); at += 60_000) {
    const local = DateTime.fromMillis(at, { zone });
    // Local minutes between the previous minute and this one do not exist.
    if (previous) {
      const next = previous.setZone('UTC', { keepLocalTime: true }).plus({ minutes: 1 });
      const now = local.setZone('UTC', { keepLocalTime: true });
      for (let skipped = next; skipped < now; skipped = skipped.plus({ minutes: 1 }))
        if (wanted.has((skipped.weekday - 1) * 1_440 + skipped.hour * 60 + skipped.minute))
          open.push(skipped.toISO()!);
    }
    previous = local;
    const isNew = !seen.has(local.toFormat('yyyy-MM-dd HH:mm'));
    seen.add(local.toFormat('yyyy-MM-dd HH:mm'));
    const isSlot = wanted.has((local.weekday - 1) * 1_440 + local.hour * 60 + local.minute);
    if ((isSlot && isNew) || open.length > 0) times.add(at);
    open = [];
  }
  return [...times].filter((at) => at >= from.getTime()).map((at) => new Date(at));
}

it('finds the same times as a calendar that looks at every minute', () => {
  const zone = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
  );
  const changes = ['2017-10-15', '2018-02-18', '2027-03-28', '2027-04-04', '2027-10-31'];
  fc.assert(
    fc.property(
      zone,
      fc.constantFrom(...changes),
      fc.integer({ min: -2 * 1_440, max: 1_440 }),
      fc.array(fc.integer({ min: 0, max: WEEK_MINUTES - 1 }), { maxLength: 12 }),
      fc.array(fc.integer({ min: 6 * 1_440, max: 6 * 1_440 + 240 }), { maxLength: 6 }),
      (timeZone, day, offset, anyMinutes, nightMinutes) => {
        const from = new Date(Date.parse(day) + offset * 60_000);
        const until = new Date(from.getTime() + 2 * DAY_MS);
        const slots = slotsOfMinutes([...anyMinutes, ...nightMinutes]);
        expect([...slotTimes({ timeZone, slots }, from, until)]).toEqual(
          referenceTimes(timeZone, slots.map(minuteOfWeek), from, until),
        );
      },
    ),
    { numRuns: 15 },
  );
});

it('every minute of the week is one slot', () => {
  for (let minute = 0; minute < WEEK_MINUTES; minute++)
    expect(minuteOfWeek(slotOfMinute(minute))).toBe(minute);
});
