import { isOpenWindow, nextCount, type WindowCount } from '../domain/access/rate-window.js';
import type { LocalRateCounter } from '../services/access/rate-counters.js';

interface InMemoryCounterOptions {
  readonly windowMs: number;
  /** When full, the oldest window is evicted. */
  readonly maxWindows: number;
}

/**
 * Only requests with valid keys are counted, so the number of users bounds the number of windows
 * (D37).
 */
export const MAX_REQUEST_WINDOWS = 1_000_000;
/**
 * Failures are counted by address, which an attacker can vary: 10,000 windows take about a megabyte
 * (D38).
 */
export const MAX_FAILURE_WINDOWS = 10_000;

/** Counts in this process: fixed windows that start with the first increment of each key (D37). */
export function createInMemoryRateCounter({
  windowMs,
  maxWindows,
}: InMemoryCounterOptions): LocalRateCounter {
  // All windows have the same length and are stored in the order of their start, so expired ones
  // come first: no timer is needed, and each call does constant work on average.
  const windows = new Map<string, WindowCount>();

  function evict(now: number): void {
    for (const [key, window] of windows) {
      // a response of Redis can be older than the windows that started while it was on its way
      if (now < window.resetAt && windows.size < maxWindows) return;
      windows.delete(key);
    }
  }

  function open(key: string, window: WindowCount): void {
    windows.delete(key);
    evict(window.now);
    windows.set(key, window);
  }

  return {
    increment(key, now) {
      const next = nextCount(windows.get(key), now.getTime(), windowMs);
      if (next.count === 1) open(key, next);
      else windows.set(key, next);
      return next;
    },
    adopt(key, count) {
      if (windows.get(key)?.resetAt === count.resetAt) windows.set(key, count);
      else open(key, count);
    },
    find(key, now) {
      const window = windows.get(key);
      return window && isOpenWindow(window, now.getTime(), windowMs) ? window : undefined;
    },
  };
}
