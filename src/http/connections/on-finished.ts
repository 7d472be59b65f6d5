import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ShortList } from './short-list.js';

/** Callbacks of the unfinished requests of each connection. */
const callbacksBySocket = new WeakMap<Socket, ShortList<() => void>>();

function callbacksOf(socket: Socket): ShortList<() => void> {
  const existing = callbacksBySocket.get(socket);
  if (existing) return existing;
  const callbacks = new ShortList<() => void>();
  callbacksBySocket.set(socket, callbacks);
  socket.once('close', () => [...callbacks].forEach((callback) => callback()));
  return callbacks;
}

/**
 * Calls `callback` once when a request is over, with or without a response. Node emits no `close`
 * for a response that is queued behind another one on a lost connection: a client that pipelines
 * requests and disconnects would leak them.
 */
export function onFinished(
  { socket }: IncomingMessage,
  response: ServerResponse,
  callback: () => void,
): void {
  const callbacks = callbacksOf(socket);
  const finish = (): void => {
    if (callbacks.delete(finish)) callback();
  };
  callbacks.add(finish);
  response.once('close', finish);
}
