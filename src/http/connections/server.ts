import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { GatewayError } from '../../domain/errors.js';
import { presentError } from '../../rest/errors.js';
import { COMMON_HEADERS } from '../responses.js';
import { atQuietTurn } from './close-when-idle.js';

/** A server that listens. */
export interface OpenServer {
  /** http:// with host and port, without a path. */
  readonly url: string;
  /** Takes no new connections, lets running requests end, and cuts what is left after `patience` milliseconds. */
  close(patience: number): Promise<void>;
}

/** Who is told of connections and requests. */
interface Listening {
  readonly listener: RequestListener;
  readonly connected?: () => void;
}

/** Where to listen, and the settings that say so. */
interface Place {
  readonly host: string;
  readonly port: number;
  readonly settings?: { readonly port: string; readonly host: string };
}
const SETTINGS = { port: 'PORT', host: 'HOST' };

/** A client that takes longer to send is cut off: headers, the whole request, and how often that is looked at. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
};

/**
 * Connections that the kernel may hold until they are taken; it has a limit of its own (net.core.somaxconn). Of a crowd
 * that comes at once, those beyond Node's own 511 would try again after 1, 3, 7 and 15 s, and nobody would know of them.
 */
const BACKLOG = 4_096;

/** While closing: how long we wait for a moment in which nobody comes. */
const QUIET_PATIENCE_MS = 2_000;
/** While closing: an answer that was begun before may have promised to keep its connection. */
const SWEEP_MS = 100;

/**
 * Listens on host and port; port 0 takes a free one.
 * @throws Error of one line where the address cannot be had
 */
export async function openServer(
  { listener, connected = () => undefined }: Listening,
  { host, port, settings = SETTINGS }: Place,
): Promise<OpenServer> {
  // A missing Host and unknown expectations would be answered by Node itself, without a body.
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, listener);
  server
    .on('connection', connected)
    .on('checkExpectation', listener)
    .on('clientError', answerMalformed);
  await listen(server, { host, port, settings });
  return {
    url: urlOf(server.address() as AddressInfo),
    async close(patience) {
      const patienceOver = setTimeout(() => server.closeAllConnections(), patience);
      const closed = stopListening(server, Math.min(patience, QUIET_PATIENCE_MS));
      const sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      await closed;
      clearInterval(sweeping);
      clearTimeout(patienceOver);
    },
  };
}

/** Resolves when the last connection has ended. The HTTP server's own `close` ends idle connections first, and meanwhile others come. */
function stopListening(server: Server, patience: number): Promise<void> {
  return new Promise((resolve) => {
    atQuietTurn(server, patience, () => {
      NetServer.prototype.close.call(server, () => resolve());
      server.close();
    });
  });
}

/** Where this machine reaches the server: one that listens everywhere, by its loopback address. */
function urlOf({ address, family, port }: AddressInfo): string {
  if (family === 'IPv4') return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`;
  return `http://[${address === '::' ? '::1' : address}]:${port}`;
}

function listen(server: Server, { host, port, settings }: Required<Place>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const { reason, mend } = REFUSALS[error.code ?? ''] ?? { reason: error.message };
      const advice = mend === undefined ? '' : `; set ${settings[mend]} to another one`;
      reject(
        new Error(`Cannot listen on port ${port} of ${host}: ${reason}${advice}`, { cause: error }),
      );
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
}

/** Why an address cannot be had, and which setting mends that. */
const REFUSALS: Readonly<
  Record<string, { readonly reason: string; readonly mend?: 'port' | 'host' }>
> = {
  EADDRINUSE: { reason: 'it is in use', mend: 'port' },
  EACCES: { reason: 'this user may not', mend: 'port' },
  EADDRNOTAVAIL: { reason: 'this machine does not have that address', mend: 'host' },
  ENOTFOUND: { reason: 'that name has no address', mend: 'host' },
  EAI_AGAIN: { reason: 'that name has no address', mend: 'host' },
};

const MALFORMED = { status: 400, message: 'The request is not valid HTTP.' };
const CLIENT_ERRORS: Readonly<Record<string, typeof MALFORMED>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
};

/** What Node's parser gives up on never becomes a request: the answer is written onto the socket. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = CLIENT_ERRORS[error.code ?? ''] ?? MALFORMED;
  const body = JSON.stringify(presentError(new GatewayError('BAD_USER_INPUT', message)).body);
  const headers = {
    ...COMMON_HEADERS,
    'X-Request-Id': randomUUID(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
