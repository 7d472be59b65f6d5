const DAY = 86_400_000;
const HOUR = 3_600_000;
/** The hours (UTC) at which the demo's posts go out, in turn. */
const HOURS = [7, 9.5, 12, 15.25, 18];

/** Dates around the moment the demo is made, in whole seconds (D8). */
export interface Calendar {
  readonly now: Date;
  /** The n-th of a row of days before today, each at another hour; n from 0. */
  past(n: number): Date;
  /** The n-th of a row of days from tomorrow on. */
  future(n: number): Date;
  /** So many hours from now, back where negative. */
  hours(count: number): Date;
}

export function calendarAt(moment: Date): Calendar {
  const now = Math.floor(moment.getTime() / 1000) * 1000;
  const today = Math.floor(now / DAY) * DAY;
  const at = (day: number, n: number): Date =>
    new Date(today + day * DAY + HOURS[n % HOURS.length]! * HOUR);
  return {
    now: new Date(now),
    past: (n) => at(-1 - n, n),
    future: (n) => at(1 + n, n),
    hours: (count) => new Date(now + count * HOUR),
  };
}

/** YYYY-MM-DD, in UTC. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
