import type { Server } from 'node:net';

/** A turn of the event loop longer than this did something meanwhile. */
const SHORT_TURN_MS = 0.5;

/**
 * Acts at the moment at which a server's end of listening hurts fewest, mostly nobody. Whoever the kernel has connected and we
 * have not accepted is reset then; so turns of the event loop are gone through until one accepted nobody and took no time.
 * At most so many milliseconds: while new ones come without end, some have to be hurt.
 */
export function atQuietTurn(server: Server, patience: number, act: () => void): void {
  const last = performance.now() + patience;
  let isQuiet = false; // the first turn has begun before
  let turnedAt = 0;
  const noise = (): void => {
    isQuiet = false;
  };
  const look = (): void => {
    const now = performance.now();
    if ((isQuiet && now - turnedAt < SHORT_TURN_MS) || now > last) {
      act(); // at once: whoever comes between is reset
      server.off('connection', noise);
      return;
    }
    isQuiet = true;
    turnedAt = now;
    setImmediate(look);
  };
  server.on('connection', noise);
  setImmediate(look);
}
