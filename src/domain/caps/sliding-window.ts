const DAY = 86_400_000;

interface Allowance {
  fits: boolean;
  /**
   * The earliest time from the requested one on that is free, in epoch milliseconds; the requested
   * one itself if it fits.
   */
  nextFreeAt: number;
}

/**
 * Whether one more publication at `at` keeps every window of 24 hours within the limit (D39), and
 * the next time at which it would. A window includes its first moment but not its last, so two
 * publications exactly 24 hours apart are never in one window. `publicationTimes` are the other
 * publications of the account and post kind, in any order; `fits` requires those within 24 hours
 * before and after `at`, `nextFreeAt` also all later ones. Times are in epoch milliseconds; the
 * limit is at least 1.
 */
export function capAllowance(
  limit: number,
  publicationTimes: readonly number[],
  at: number,
): Allowance {
  const times = [...publicationTimes].sort((a, b) => a - b);
  let nextFree = at;
  // Any `limit` consecutive times within 24 hours block the time from 24 hours before the last to
  // 24 hours after the first. Both bounds increase from one such group to the next, so a single
  // pass finds the first gap.
  for (let i = 0; i + limit <= times.length; i++) {
    const [first, last] = [times[i]!, times[i + limit - 1]!];
    const isFull = last - first < DAY;
    if (isFull && last - DAY < nextFree && nextFree < first + DAY) nextFree = first + DAY;
  }
  return { fits: nextFree === at, nextFreeAt: nextFree };
}

interface CapUsage {
  /** Publications in the 24 hours up to and including now. */
  used: number;
  /** Publications left in those 24 hours, not below 0. */
  remaining: number;
  /**
   * When the next publication fits, in epoch milliseconds; null if it fits now. Future publications
   * count, so it can be set even if `remaining` is positive.
   */
  nextFreeAt: number | null;
}

/** Usage of a cap in the rolling 24 hours up to `now`. Parameters are those of `capAllowance`. */
export function capUsage(
  limit: number,
  publicationTimes: readonly number[],
  now: number,
): CapUsage {
  const used = publicationTimes.filter((at) => at > now - DAY && at <= now).length;
  const { fits, nextFreeAt } = capAllowance(limit, publicationTimes, now);
  return { used, remaining: Math.max(0, limit - used), nextFreeAt: fits ? null : nextFreeAt };
}
