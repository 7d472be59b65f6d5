import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long, and for how many bytes, a client may go on sending what will not be read. */
const PATIENCE_MS = 2_000;
const PATIENCE_BYTES = 16 * 1_048_576;

/**
 * Lets an answer reach a client that is still sending its body. Node closes the connection of a `Connection: close`
 * request as soon as the answer is out; the unread rest then resets it, and a client that writes before it reads
 * loses the answer. So such a connection stays open until the body has come in, or patience is over.
 */
export function lingerOn(request: IncomingMessage, response: ServerResponse): void {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return;
  const { socket } = request;
  const keepsAlive = response.shouldKeepAlive;
  const close = (): void => socket.destroySoon();

  response.shouldKeepAlive = true;
  request.once('end', () => {
    if (!response.headersSent) response.shouldKeepAlive = keepsAlive;
    else if (!keepsAlive) close();
  });
  response.once('finish', () => {
    if (request.complete) return;
    const last = socket.bytesRead + PATIENCE_BYTES;
    const patience = setTimeout(close, PATIENCE_MS);
    const rest = (): void => {
      clearTimeout(patience);
      socket.off('close', rest); // the connection may bring many more requests
    };
    socket.once('close', rest);
    request.once('end', rest);
    request.on('data', () => {
      if (socket.bytesRead > last) close();
    });
    request.resume();
  });
}
