/** How often work that did not succeed is begun again, and after which pauses: 2 s, then twice as long each time, 17 minutes in all. */
export const JOB_RETRIES = {
  mostAttempts: 10,
  firstPauseMs: 2_000,
  longestPauseMs: 600_000,
} as const;

/**
 * The pause after the nth attempt (1 for the first) in milliseconds, or null where it was the last one. `chance`, from
 * 0 to 1, takes up to half of the pause away, so that jobs that failed together do not come back together.
 */
export function pauseAfter(attempt: number, chance: number): number | null {
  const { mostAttempts, firstPauseMs, longestPauseMs } = JOB_RETRIES;
  if (attempt >= mostAttempts) return null;
  return Math.round(Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs) * (1 - chance / 2));
}
