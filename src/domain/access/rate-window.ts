/** How long windows are, in milliseconds: of requests (D37), and of failures to know a key (D38). */
export const WINDOW_MS = { requests: 120_000, failures: 60_000 } as const;

/** Failures in such a window that an address has before more of them are refused (D38). */
export const FAILURE_LIMIT = 20;

/** A window after something was counted in it. Times are milliseconds of the clock that counts, be it ours or Redis's. */
export interface WindowCount {
  readonly count: number;
  readonly resetAt: number;
  readonly now: number;
}

/** What a caller is told of their window (D37). */
export interface RateState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
  /** Whole seconds until then, rounded up, 1 at least: by the clock that counts, whatever ours says. */
  readonly retryAfter: number;
}

/**
 * The fixed window that one more is counted in: the current one, or a new one that begins now. It ends by itself;
 * one that would end later than a window from now is from before the clock was set back, and has ended too.
 */
export function nextCount(
  current: Pick<WindowCount, 'count' | 'resetAt'> | undefined,
  now: number,
  length: number,
): WindowCount {
  const isOpen = current !== undefined && now < current.resetAt && current.resetAt - now <= length;
  return isOpen
    ? { count: current.count + 1, resetAt: current.resetAt, now }
    : { count: 1, resetAt: now + length, now };
}

/** A count held to a limit. What is refused counts too; the limit is the moment's own, so that a changed one holds at once. */
export const rateState = ({ count, resetAt, now }: WindowCount, limit: number): RateState => ({
  allowed: count <= limit,
  limit,
  remaining: Math.max(0, limit - count),
  resetAt: new Date(resetAt),
  retryAfter: Math.max(1, Math.ceil((resetAt - now) / 1000)),
});
