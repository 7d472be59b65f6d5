import { GatewayError } from '../domain/errors.js';

/** How often a change is decided again because another process was faster. */
const MOST_ATTEMPTS = 24;
const MOST_PAUSE_MS = 20;
/** A pause of chance before deciding again: two processes in step would leave the same one behind every time. */
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * MOST_PAUSE_MS);
  });

/**
 * Decides and saves, anew on what is there now as often as somebody else was faster, which an attempt tells by null.
 * @throws GatewayError UNAVAILABLE where others are faster every time
 */
export async function untilSaved<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let left = MOST_ATTEMPTS; left > 0; left--) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
    await pause();
  }
  throw new GatewayError('UNAVAILABLE', 'The post is being changed by many at once. Retry later.');
}
