import { DEFAULT_PACE, type PublicationPace } from '../networks/network-definition.js';
import { NETWORKS } from '../networks/networks.js';
import type { Account } from '../posts/post.js';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** Pauses after failed attempts to publish a post: about an hour in total (D55). */
const RETRY_PAUSES = [30 * SECOND, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 25 * MINUTE];

/**
 * Milliseconds until the next attempt after the nth one (1 is the first), or null if it was the
 * last; not shorter than the pause that the network requested. `random`, from 0 to 1, adds up to
 * 20 %, so that posts that failed together are not sent together.
 */
export function publicationRetryMs(
  attempt: number,
  { requestedMs = 0, random }: { requestedMs?: number; random: number },
): number | null {
  const pause = RETRY_PAUSES[attempt - 1];
  return pause === undefined ? null : Math.round(Math.max(pause * (1 + random / 5), requestedMs));
}

/** Pauses before the network is asked again about a post whose state stays unclear (D54). */
const LOOK_PAUSES = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR];

/**
 * Milliseconds until the network is asked again after the nth unclear answer, or null if it was the
 * last: the post is then unconfirmed (D54).
 */
export const lookAgainMs = (unclearAnswers: number): number | null =>
  LOOK_PAUSES[unclearAnswers - 1] ?? null;

/** How long a network may process a post that it has taken, asked again and again. */
export const PROCESSING_LOOK_MS = 15 * SECOND;

/**
 * Maximum duration of the call that publishes: adapters end each call within 30 seconds. From then
 * on the network can no longer take the post because of it.
 */
export const PUBLISH_CALL_MS = 30 * SECOND;

/**
 * Time between the two answers that a post is not there, for networks with a lagging list (D54).
 */
export const SECOND_LOOK_MS = 2 * MINUTE;

const SANDBOX_PACE: PublicationPace = { intervalMs: 20, maxConcurrent: 4 };

/** The pace of an account: each account has its own, so that none waits for another (D52). */
export const publicationPaceOf = ({
  network,
  sandbox,
}: Pick<Account, 'network' | 'sandbox'>): PublicationPace =>
  sandbox ? SANDBOX_PACE : (NETWORKS[network].pace ?? DEFAULT_PACE);
