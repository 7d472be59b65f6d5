import { nextCount, type WindowCount } from '../domain/access/rate-window.js';
import type { RateCounter } from '../services/ports.js';

/** How long windows last, and how many a process keeps. */
interface WindowSettings {
  /** Milliseconds. */
  readonly length: number;
  /** When full, the oldest window makes room. */
  readonly maxWindows: number;
}

/** Only valid keys are counted as requests, so that users bound the number (D37). */
export const MOST_REQUEST_WINDOWS = 1_000_000;
/** 10,000 addresses are about a megabyte, which no attacker can make grow (D38). */
export const MOST_FAILURE_WINDOWS = 10_000;

/** Counts in this process: fixed windows that begin with the first of each key (D37). */
export function createRateCounter({ length, maxWindows }: WindowSettings): RateCounter {
  // Windows are of one length and stand in the order they began, so that those to forget come first: no timer
  // is needed, and each call does constant work on average.
  const windows = new Map<string, WindowCount>();

  function forget(now: number): void {
    for (const [key, window] of windows) {
      const isOver = nextCount(window, now, length).count === 1;
      if (!isOver && windows.size < maxWindows) return;
      windows.delete(key);
    }
  }

  function open(key: string, window: WindowCount): void {
    windows.delete(key);
    forget(window.now);
    windows.set(key, window);
  }

  return {
    take(key, now) {
      const next = nextCount(windows.get(key), now.getTime(), length);
      if (next.count === 1) open(key, next);
      else windows.set(key, next);
      return next;
    },
    adopt(key, seen) {
      if (windows.get(key)?.resetAt === seen.resetAt) windows.set(key, seen);
      else open(key, seen);
    },
  };
}
