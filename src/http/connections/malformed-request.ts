import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { COMMON_HEADERS, type HttpResponse } from '../responses.js';

/**
 * Responds to input that Node's parser rejects. It never becomes a request, so the response is
 * written to the socket.
 */
export function respondToMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  present: (error: NodeJS.ErrnoException) => HttpResponse,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body = '' } = present(error);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({
      ...COMMON_HEADERS,
      'X-Request-Id': randomUUID(),
      ...headers,
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
