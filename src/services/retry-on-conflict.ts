import { GatewayError } from '../domain/errors.js';

/** How often a change is retried because a concurrent change was saved first. */
const MAX_ATTEMPTS = 24;
/**
 * How often a change is retried that takes times of a queue. With each conflict another process has
 * added its posts, so that a change succeeds after about as many attempts as there are processes.
 */
export const MAX_QUEUE_ATTEMPTS = 200;
const MAX_PAUSE_MS = 20;
/** A random pause before a retry, so that two processes do not collide again in the same order. */
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * MAX_PAUSE_MS);
  });

/**
 * Runs an attempt until it returns something other than null, which means that a concurrent change
 * was saved first.
 * @throws GatewayError UNAVAILABLE after `maxAttempts` conflicts
 */
export async function retryOnConflict<T>(
  attempt: () => Promise<T | null>,
  maxAttempts = MAX_ATTEMPTS,
): Promise<T> {
  for (let left = maxAttempts; left > 0; left--) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
    await pause();
  }
  throw new GatewayError(
    'UNAVAILABLE',
    'The post is being changed by too many requests at the same time. Retry later.',
  );
}
