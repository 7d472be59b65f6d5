import type { Ids } from '../services/ids.js';

/** Sources of dates and IDs for the demo's records. */
export interface DemoContext {
  readonly dates: DemoDates;
  readonly ids: Ids;
  /** Reserved database IDs of posts. */
  readonly databaseIds: Iterator<number>;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Hours of the day (UTC) at which the demo's posts are scheduled, in rotation. */
const POSTING_HOURS = [7, 9.5, 12, 15.25, 18];

/** Dates relative to the time at which the demo is created, in whole seconds (D8). */
export interface DemoDates {
  readonly now: Date;
  /** A time `n` + 1 days before today. The hour rotates with `n`, which starts at 0. */
  past(n: number): Date;
  /** A time `n` + 1 days after today. */
  future(n: number): Date;
  /** A time this many hours from now, or ago if negative. */
  hoursFromNow(count: number): Date;
}

/** Creates the dates of a demo that is created at this time. */
export function createDemoDates(time: Date): DemoDates {
  const now = Math.floor(time.getTime() / 1000) * 1000;
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const at = (day: number, n: number): Date =>
    new Date(today + day * DAY_MS + POSTING_HOURS[n % POSTING_HOURS.length]! * HOUR_MS);
  return {
    now: new Date(now),
    past: (n) => at(-1 - n, n),
    future: (n) => at(1 + n, n),
    hoursFromNow: (count) => new Date(now + count * HOUR_MS),
  };
}

/** YYYY-MM-DD, in UTC. */
export const toDateString = (date: Date): string => date.toISOString().slice(0, 10);
