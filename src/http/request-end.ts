import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Values in the order in which they were added, few at a time, each for a short time. A `Set` is
 * slower for this: V8 replaces its table again and again, and a replaced table refers to its
 * successor. Once such a table is in the old generation, it keeps all values that come after it
 * until the next full garbage collection, and every minor collection copies them.
 */
export class ShortList<T> implements Iterable<T> {
  private readonly values: T[] = [];

  add(value: T): void {
    this.values.push(value);
  }

  /** @returns whether the list contained the value */
  delete(value: T): boolean {
    const index = this.values.indexOf(value);
    if (index >= 0) this.values.splice(index, 1);
    return index >= 0;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.values[Symbol.iterator]();
  }
}

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

/** Limits on the rest of a body that a client may send after the response. */
const LINGER_TIMEOUT_MS = 2_000;
const MAX_LINGER_BYTES = 16 * 1_048_576;

/**
 * Lets a response reach a client that is still sending its body. Node closes the connection of a
 * `Connection: close` request right after the response; the unread rest of the body then resets it,
 * and a client that writes before it reads loses the response. So such a connection stays open
 * until the body is complete or a limit is reached.
 */
export function lingerOnClose(request: IncomingMessage, response: ServerResponse): void {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return;
  const { socket } = request;
  const isKeepAlive = response.shouldKeepAlive;
  const close = (): void => socket.destroySoon();

  response.shouldKeepAlive = true;
  request.once('end', () => {
    if (!response.headersSent) response.shouldKeepAlive = isKeepAlive;
    else if (!isKeepAlive) close();
  });
  response.once('finish', () => {
    if (request.complete) return;
    const maxBytesRead = socket.bytesRead + MAX_LINGER_BYTES;
    const timer = setTimeout(close, LINGER_TIMEOUT_MS);
    const stopLingering = (): void => {
      clearTimeout(timer);
      socket.off('close', stopLingering); // the connection may carry many more requests
    };
    socket.once('close', stopLingering);
    request.once('end', stopLingering);
    request.on('data', () => {
      if (socket.bytesRead > maxBytesRead) close();
    });
    request.resume();
  });
}
