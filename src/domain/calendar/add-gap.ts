import type { GapFrequency } from '../posts/post-settings.js';
import { zoneInstant, zoneOffset } from './zone-time.js';

const DAY_MS = 86_400_000;
const DAYS_OF: Readonly<Record<Exclude<GapFrequency, 'months'>, number>> = { days: 1, weeks: 7 };

/** The same day of a later month; the last day of a month that has no such day. */
function addMonths(wall: number, months: number): number {
  const date = new Date(wall);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

/** A date moved by a gap, at the same wall-clock time in an IANA zone (D59). */
export function addGap(
  from: Date,
  {
    gap,
    gapFreq,
    zone,
  }: { readonly gap: number; readonly gapFreq: GapFrequency; readonly zone: string },
): Date {
  const wall = from.getTime() + zoneOffset(from.getTime(), zone);
  const moved =
    gapFreq === 'months' ? addMonths(wall, gap) : wall + gap * DAYS_OF[gapFreq] * DAY_MS;
  return new Date(zoneInstant(moved, zone));
}
