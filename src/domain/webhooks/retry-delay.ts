const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/**
 * The pauses after failed attempts that Standard Webhooks proposes: long enough for an outage over
 * a weekend.
 */
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Longer Retry-After values of a receiver are capped at one day. */
const MAX_REQUESTED_PAUSE = 24 * HOUR;

/**
 * Milliseconds until the next attempt after the nth one (1 is the first), or null if it was the
 * last; not shorter than the pause that the receiver requested. `random`, from 0 to 1, adds up to
 * 20 %, so that messages that failed together are not retried together.
 */
export function deliveryRetryDelayMs(
  attempt: number,
  { requestedMs = 0, random }: { requestedMs?: number; random: number },
): number | null {
  const pause = PAUSES[attempt - 1];
  return pause === undefined
    ? null
    : Math.round(Math.max(pause, Math.min(requestedMs, MAX_REQUESTED_PAUSE)) * (1 + random / 5));
}
