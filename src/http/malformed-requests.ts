import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayError, type ErrorCode } from '../domain/errors.js';
import type { ErrorPresenters } from './errors.js';
import { COMMON_HEADERS, type HttpResponse } from './responses.js';

/** Code of Node's parser for a request that takes too long to arrive. */
export const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Code of the error of a connection beyond the limit of its address. */
export const TOO_MANY_CONNECTIONS = 'TOO_MANY_CONNECTIONS';

interface ParserError {
  readonly status: number;
  readonly code?: ErrorCode;
  readonly message: string;
}
const MALFORMED: ParserError = { status: 400, message: 'The request is not valid HTTP.' };
/** By the error code of Node's parser. */
const PARSER_ERRORS: Readonly<Record<string, ParserError>> = {
  [TOO_MANY_CONNECTIONS]: {
    status: 429,
    code: 'RATE_LIMITED',
    message: 'There are too many connections from this address. Close some, and retry.',
  },
  HPE_INVALID_URL: {
    status: 400,
    message:
      'The URL contains a character that URLs cannot have: percent-encode letters outside ASCII as UTF-8.',
  },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  [REQUEST_TIMEOUT]: { status: 408, message: 'The request took too long to arrive.' },
};

/** The response to input that Node's parser rejects: it has no path, so the format is REST's. */
export function presentParserError(
  code: string | undefined,
  { rest: present }: ErrorPresenters,
): HttpResponse {
  const {
    status,
    code: errorCode = 'BAD_USER_INPUT',
    message,
  } = PARSER_ERRORS[code ?? ''] ?? MALFORMED;
  return { ...present(new GatewayError(errorCode, message)), status };
}

/**
 * Responds to input that Node's parser rejects. It never becomes a request, so the response is
 * written to the socket.
 */
export function respondToMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  presenters: ErrorPresenters,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body = '' } = presentParserError(error.code, presenters);
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
