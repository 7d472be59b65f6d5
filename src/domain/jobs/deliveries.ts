import type { Word } from '../vocabulary.js';

interface DeliveryFailureEntry extends Word {
  /** Whether the same message may be taken later without anybody doing anything. */
  readonly retried: boolean;
}

/** Why a notification did not reach the webhook: codes of a job's failures. */
export const DELIVERY_FAILURES = {
  WEBHOOK_NOT_SET: {
    meaning: 'The worker knows of no webhook: NOTIFY_WEBHOOK_URL is not set there.',
    source: 'Standard Webhooks',
    retried: false,
  },
  WEBHOOK_GONE: {
    meaning: 'The receiver wants no more messages (410).',
    source: 'Standard Webhooks',
    retried: false,
  },
  WEBHOOK_REFUSED: {
    meaning: 'The receiver does not take the message (3xx, 4xx).',
    source: 'Standard Webhooks',
    retried: false,
  },
  WEBHOOK_UNAVAILABLE: {
    meaning:
      'The receiver did not answer in time, or asked to be asked later (408, 425, 429, 5xx, no connection).',
    source: 'Standard Webhooks',
    retried: true,
  },
} as const satisfies Record<string, DeliveryFailureEntry>;
export type DeliveryFailureCode = keyof typeof DELIVERY_FAILURES;

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** The pauses after each attempt that failed, as the specification proposes them: a receiver may be away over a weekend. */
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
/** A pause that the receiver asks for is kept up to a day. */
const LONGEST_ASKED = 24 * HOUR;

/**
 * The pause after the nth attempt (1 for the first) in milliseconds, or null where it was the last one; never shorter
 * than what the receiver asked for. `chance`, from 0 to 1, adds up to a fifth, so that messages that failed together do
 * not come back together.
 */
export function deliveryPause(
  attempt: number,
  { askedMs = 0, chance }: { askedMs?: number; chance: number },
): number | null {
  const pause = PAUSES[attempt - 1];
  return pause === undefined
    ? null
    : Math.round(Math.max(pause, Math.min(askedMs, LONGEST_ASKED)) * (1 + chance / 5));
}
