import type { Server } from 'node:net';

/** A tick of the event loop that takes longer is not idle. */
const IDLE_TICK_MS = 0.5;

/**
 * Closes the listener between two accepts: connections still in the kernel's backlog are reset on
 * close. Waits for an idle tick of the event loop that accepted no connection, but at most
 * `timeoutMs`: under a constant stream of new connections some resets cannot be avoided.
 */
export function closeWhenIdle(server: Server, timeoutMs: number, close: () => void): void {
  const deadline = performance.now() + timeoutMs;
  let isIdle = false; // false for the current tick, which started earlier
  let tickStartedAt = 0;
  const onConnection = (): void => {
    isIdle = false;
  };
  const onTick = (): void => {
    const now = performance.now();
    if ((isIdle && now - tickStartedAt < IDLE_TICK_MS) || now > deadline) {
      close(); // synchronously: a connection made in between would be reset
      server.off('connection', onConnection);
      return;
    }
    isIdle = true;
    tickStartedAt = now;
    setImmediate(onTick);
  };
  server.on('connection', onConnection);
  setImmediate(onTick);
}
