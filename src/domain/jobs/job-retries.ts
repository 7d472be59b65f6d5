/** Retries of failed jobs: pauses of 2 s, then twice as long each time, 17 minutes in total. */
export const JOB_RETRIES = {
  maxAttempts: 10,
  firstPauseMs: 2_000,
  maxPauseMs: 600_000,
} as const;

/**
 * Milliseconds until the next attempt after the nth one (1 is the first), or null if it was the
 * last. `random`, from 0 to 1, shortens the pause by up to half, so that jobs that failed together
 * are not retried together.
 */
export function jobRetryDelayMs(attempt: number, random: number): number | null {
  const { maxAttempts, firstPauseMs, maxPauseMs } = JOB_RETRIES;
  if (attempt >= maxAttempts) return null;
  return Math.round(Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs) * (1 - random / 2));
}
