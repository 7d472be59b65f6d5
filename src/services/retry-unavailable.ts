import { GatewayError } from '../domain/errors.js';

const PAUSE_MS = 500;
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS).unref();
  });

/**
 * Runs a task, and tries it again every 500 ms while the database is unavailable. A waiting retry
 * does not keep the process running.
 * @param forMs after this time, in milliseconds, the task is not tried again
 */
export async function retryUnavailable<Result>(
  task: () => Promise<Result>,
  forMs: number,
): Promise<Result> {
  const lastTryAt = performance.now() + forMs - PAUSE_MS;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      const isUnavailable = error instanceof GatewayError && error.code === 'UNAVAILABLE';
      if (!isUnavailable || performance.now() > lastTryAt) throw error;
      await pause();
    }
  }
}
