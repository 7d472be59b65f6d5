import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How long an idle connection may be used again, as responses announce it. More than the 60 s after
 * which nginx and most load balancers close theirs: if the server closes first, it may close while
 * a request is on its way.
 */
export const KEEP_ALIVE_MS = 65_000;
/** For requests that were on their way when that time ended. */
const GRACE_MS = 10_000;

/**
 * Closes idle connections only some time after the announced one, and only if nothing has arrived:
 * after a stall of this process, the timer runs before the request that arrived meanwhile is read.
 */
export function closeIdleLate(server: Server, graceMs = GRACE_MS): void {
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    const close = (): void => {
      if (socket.bytesRead === bytesRead) socket.destroySoon();
    };
    setTimeout(() => setImmediate(close), graceMs).unref();
  });
}
