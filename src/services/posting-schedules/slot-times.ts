import { minuteOfWeek, type PostingSchedule } from '../../domain/publishing/posting-schedule.js';
import { weekdayOf, zoneInstant, zoneOffset } from '../../domain/calendar/zone-time.js';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const DAY_MS = DAY_MINUTES * MINUTE_MS;

/**
 * The instant of a wall-clock time, both in epoch milliseconds. A time that a change to daylight
 * saving time skips moves to the next minute that exists; of a time that occurs twice, the first is
 * taken (D61).
 */
function nextValidInstant(wall: number, zone: string): number {
  for (let next = wall; next < wall + DAY_MS; next += MINUTE_MS) {
    const at = zoneInstant(next, zone);
    if (at + zoneOffset(at, zone) === next) return at;
  }
  return zoneInstant(wall, zone);
}

/** The times of the slots of a schedule from `from` to `until`, in order, each once (D61). */
export function* slotTimes(
  { timeZone, slots }: Pick<PostingSchedule, 'timeZone' | 'slots'>,
  from: Date,
  until: Date,
): Generator<Date> {
  const minutes = slots.map(minuteOfWeek);
  const firstDay = Math.floor((from.getTime() + zoneOffset(from.getTime(), timeZone)) / DAY_MS);
  const lastDay = Math.floor((until.getTime() + zoneOffset(until.getTime(), timeZone)) / DAY_MS);
  let latest = from.getTime() - 1;
  // A skipped time moves to a later minute, perhaps of the next day.
  for (let day = firstDay - 1; day <= lastDay; day++) {
    const startOfDay = weekdayOf(day) * DAY_MINUTES;
    for (const minute of minutes) {
      const ofDay = minute - startOfDay;
      if (ofDay < 0 || ofDay >= DAY_MINUTES) continue;
      const at = nextValidInstant(day * DAY_MS + ofDay * MINUTE_MS, timeZone);
      if (at > until.getTime()) return;
      if (at <= latest) continue;
      latest = at;
      yield new Date(at);
    }
  }
}
