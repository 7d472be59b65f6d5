const DAY = 86_400_000;

interface Allowance {
  fits: boolean;
  /** The earliest time from the asked one on at which one more fits, in epoch milliseconds; the asked one itself when it fits. */
  nextFreeAt: number;
}

/**
 * Whether one more publication at `at` keeps every 24 hours that contain it within the limit (D39), and when it
 * would. A window includes its first moment and not its last, so that two publications exactly 24 hours apart
 * are never in one. `taken` are the other publications of the account and kind, in any order, without the post
 * that is asked about; `fits` needs those within 24 hours either side of `at`, nextFreeAt all later ones too.
 * All times in epoch milliseconds; the limit is at least 1.
 */
export function allowance(limit: number, taken: readonly number[], at: number): Allowance {
  const times = [...taken].sort((a, b) => a - b);
  let free = at;
  // Each `limit` neighbours within 24 hours leave no room from 24 hours before the last to 24 hours after the
  // first. Both ends only grow from one such group to the next, so that one pass finds the first gap.
  for (let i = 0; i + limit <= times.length; i++) {
    const [first, last] = [times[i]!, times[i + limit - 1]!];
    const isFull = last - first < DAY;
    if (isFull && last - DAY < free && free < first + DAY) free = first + DAY;
  }
  return { fits: free === at, nextFreeAt: free };
}

interface CapUsage {
  /** Publications in the 24 hours up to now, now included. */
  used: number;
  /** How many the limit leaves of those 24 hours, never negative. */
  remaining: number;
  /** When one more will fit, in epoch milliseconds; null when it does now. What is planned counts, so it can be set while something remains. */
  nextFreeAt: number | null;
}

/** How much of a cap the rolling 24 hours up to `now` have used. Takes what `allowance` takes. */
export function usage(limit: number, taken: readonly number[], now: number): CapUsage {
  const used = taken.filter((at) => at > now - DAY && at <= now).length;
  const { fits, nextFreeAt } = allowance(limit, taken, now);
  return { used, remaining: Math.max(0, limit - used), nextFreeAt: fits ? null : nextFreeAt };
}
