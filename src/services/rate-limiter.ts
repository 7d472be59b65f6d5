import type { Caller } from '../domain/viewer.js';
import type { Clock, RateCounter, RateState } from './ports.js';

/** Counts requests against each user's budget, over all keys and both doors (D37). */
export interface RateLimiter {
  /** Counts one request. The budget is the user's override, else the default. */
  take(caller: Caller): Promise<RateState>;
}

export function createRateLimiter({ counter, clock, defaultLimit }: { counter: RateCounter; clock: Clock; defaultLimit: number }): RateLimiter {
  return { take: ({ user, rateLimitOverride }) => counter.take(user.id, rateLimitOverride ?? defaultLimit, clock.now()) };
}
