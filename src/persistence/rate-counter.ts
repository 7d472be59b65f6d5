import type { RateCounter, RateState } from '../services/ports.js';

/** How long windows last, and how many a process keeps. */
interface WindowSettings {
  /** Milliseconds. */
  readonly length: number;
  /** When full, the oldest window makes room. */
  readonly maxWindows: number;
}

/** The request rate (D37): 120 seconds. Only valid keys are counted, so that users bound the number. */
export const REQUEST_WINDOWS: WindowSettings = { length: 120_000, maxWindows: 1_000_000 };

/** Guessing (D38): a minute; 10,000 addresses are about a megabyte, which no attacker can make grow. */
export const FAILURE_WINDOWS: WindowSettings = { length: 60_000, maxWindows: 10_000 };

/**
 * Counts in this process: fixed windows that begin with the first request of each user (D37). What is refused
 * counts too. The limit is the call's own, so that a changed override holds in the middle of a window.
 */
export function createRateCounter({ length, maxWindows }: WindowSettings): RateCounter {
  // Windows are of one length and stand in the order they began, so that those to forget come first: no timer
  // is needed, and each call does constant work on average.
  const windows = new Map<string, { count: number; resetAt: number }>();

  const isOpen = (resetAt: number, now: number): boolean => now < resetAt && resetAt - now <= length; // not so when the clock was set back

  function forget(now: number): void {
    for (const [key, { resetAt }] of windows) {
      if (isOpen(resetAt, now) && windows.size < maxWindows) return;
      windows.delete(key);
    }
  }

  function windowOf(key: string, now: number): { count: number; resetAt: number } {
    const current = windows.get(key);
    if (current && isOpen(current.resetAt, now)) return current;
    windows.delete(key);
    forget(now);
    const fresh = { count: 0, resetAt: now + length };
    windows.set(key, fresh);
    return fresh;
  }

  return {
    async take(userId: string, limit: number, now: Date): Promise<RateState> {
      const window = windowOf(userId, now.getTime());
      window.count += 1;
      return { allowed: window.count <= limit, limit, remaining: Math.max(0, limit - window.count), resetAt: new Date(window.resetAt) };
    },
  };
}
