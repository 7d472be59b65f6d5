import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeWhenIdle } from './close-when-idle.js';
import { closeIdleLate, KEEP_ALIVE_MS } from './keep-alive.js';
import { listen, type ListenOptions } from './listen.js';

/** A listening server. */
export interface HttpServer {
  /** URL with host and port, without a path. */
  readonly url: string;
  /**
   * Stops accepting connections, waits for active requests, and closes the remaining connections
   * after `timeoutMs`.
   */
  close(timeoutMs: number): Promise<void>;
}

interface ServerHandlers {
  readonly listener: RequestListener;
  readonly connectionAccepted?: () => void;
  /** Closes the connection by default. */
  readonly clientError?: (error: NodeJS.ErrnoException, socket: Duplex) => void;
}

/**
 * Time a client has to send the headers, how often Node checks, and how long an idle connection
 * stays open. The whole request has a deadline of the HTTP layer instead: uploads take longer.
 */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
};

/** While closing: maximum wait for an idle moment. */
const MAX_IDLE_WAIT_MS = 2_000;
/** While closing: a response whose headers were sent before may have promised keep-alive. */
const SWEEP_INTERVAL_MS = 100;

/**
 * Listens on host and port; port 0 takes a free one.
 * @throws Error with a one-line message if the address cannot be used
 */
export async function openServer(
  {
    listener,
    connectionAccepted = () => undefined,
    clientError = (_error, socket) => socket.destroy(),
  }: ServerHandlers,
  options: ListenOptions,
): Promise<HttpServer> {
  // Node would respond to a missing Host and to unknown expectations itself, without a body.
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, listener);
  server
    .on('connection', connectionAccepted)
    .on('checkExpectation', listener)
    .on('clientError', clientError);
  closeIdleLate(server);
  await listen(server, options);
  return {
    url: urlOf(server.address() as AddressInfo),
    async close(timeoutMs) {
      const timeout = setTimeout(() => server.closeAllConnections(), timeoutMs);
      const closed = stopListening(server, Math.min(timeoutMs, MAX_IDLE_WAIT_MS));
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
      await closed;
      clearInterval(sweep);
      clearTimeout(timeout);
    },
  };
}

/**
 * Resolves when the last connection is closed. The `close` of the HTTP server closes idle
 * connections first and accepts new ones meanwhile, so the `close` of the TCP server is called
 * before it.
 */
function stopListening(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    closeWhenIdle(server, timeoutMs, () => {
      NetServer.prototype.close.call(server, () => resolve());
      server.close();
    });
  });
}

/** The server's URL on this machine; for a wildcard address, the loopback address. */
function urlOf({ address, family, port }: AddressInfo): string {
  if (family === 'IPv4') return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`;
  return `http://[${address === '::' ? '::1' : address}]:${port}`;
}
