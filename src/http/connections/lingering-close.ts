import type { IncomingMessage, ServerResponse } from 'node:http';

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
