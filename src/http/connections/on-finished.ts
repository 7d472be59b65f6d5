import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is to be called when a connection is lost: for each of its requests that is not over. */
const unfinished = new WeakMap<Socket, Set<() => void>>();

function unfinishedOn(socket: Socket): Set<() => void> {
  const known = unfinished.get(socket);
  if (known) return known;
  const acts = new Set<() => void>();
  unfinished.set(socket, acts);
  socket.once('close', () => acts.forEach((act) => act()));
  return acts;
}

/**
 * Calls once when a request is over, answered or not. A response tells of that, but not one that queues behind another on
 * a connection that is lost: whoever sends many requests at once and leaves would never be over.
 */
export function whenOver(
  { socket }: IncomingMessage,
  response: ServerResponse,
  act: () => void,
): void {
  const acts = unfinishedOn(socket);
  const once = (): void => {
    if (acts.delete(once)) act();
  };
  acts.add(once);
  response.once('close', once);
}
