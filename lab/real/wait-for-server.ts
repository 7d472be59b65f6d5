import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;

/** Waits until a server responds. @throws Error after a minute */
export async function waitForServer(
  isReady: () => boolean | Promise<boolean>,
  name: string,
): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline;) {
    if (
      await Promise.resolve()
        .then(isReady)
        .catch(() => false)
    )
      return;
    await sleep(100);
  }
  throw new Error(`${name} did not start within ${TIMEOUT_MS / 1000} seconds.`);
}
