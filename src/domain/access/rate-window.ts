/** Length of the windows in milliseconds: of requests (D37) and of failed authentications (D38). */
export const WINDOW_MS = { requests: 120_000, failures: 60_000 } as const;

/** Failed authentications of an address per window before further ones get 429 (D38). */
export const FAILURE_LIMIT = 20;

/**
 * A window after an increment. Times are milliseconds of the counter's clock: the process's or
 * Redis's.
 */
export interface WindowCount {
  readonly count: number;
  readonly resetAt: number;
  readonly now: number;
}

/** The state of a caller's rate window, as reported in the response headers (D37). */
export interface RateState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
  /** Whole seconds until `resetAt` by the counter's clock, rounded up, at least 1. */
  readonly retryAfter: number;
}

/** By how much the clocks of processes and of Redis may differ. */
const CLOCK_TOLERANCE_MS = 1_000;

/**
 * Whether a fixed window has not ended. A window that would end much more than one length from now
 * started before the clock was set back, and counts as expired.
 */
export const isOpenWindow = (
  { resetAt }: Pick<WindowCount, 'resetAt'>,
  now: number,
  length: number,
): boolean => now < resetAt && resetAt - now <= length + CLOCK_TOLERANCE_MS;

/** Increments a fixed window: the current one, or a new one if it has expired. */
export function nextCount(
  current: Pick<WindowCount, 'count' | 'resetAt'> | undefined,
  now: number,
  length: number,
): WindowCount {
  return current !== undefined && isOpenWindow(current, now, length)
    ? { count: current.count + 1, resetAt: current.resetAt, now }
    : { count: 1, resetAt: now + length, now };
}

/**
 * Compares a count with the limit. Rejected requests count too; a changed limit takes effect
 * immediately.
 */
export const rateState = ({ count, resetAt, now }: WindowCount, limit: number): RateState => ({
  allowed: count <= limit,
  limit,
  remaining: Math.max(0, limit - count),
  resetAt: new Date(resetAt),
  retryAfter: Math.max(1, Math.ceil((resetAt - now) / 1000)),
});
