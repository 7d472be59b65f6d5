import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type BlockList, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createClientShares } from './admission/client-shares.js';
import { isAmong } from './authentication/client-address.js';
import { networkKey } from './authentication/failure-throttle.js';
import { TOO_MANY_CONNECTIONS } from './malformed-requests.js';

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
  /** Connections of one address; unlimited by default. */
  readonly connectionLimit?: ConnectionLimit;
  /** Closes the connection by default. */
  readonly clientError?: (error: NodeJS.ErrnoException, socket: Duplex) => void;
}

/** Limits of the open connections. */
interface ConnectionLimit {
  /** Of each address that is not a proxy. */
  readonly maxPerAddress: number;
  readonly trustedProxies: BlockList;
  /** Called for each connection that is closed because the process has too few file descriptors. */
  readonly onFull: (open: number) => void;
}

/** Where to listen, and the names of the settings for it. */
interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly settings?: { readonly port: string; readonly host: string };
}

/**
 * How long an idle connection may be used again, as responses announce it. More than the 60 s after
 * which nginx and most load balancers close theirs: if the server closes first, it may close while
 * a request is on its way.
 */
const KEEP_ALIVE_MS = 65_000;

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
  { listener, connectionLimit, clientError = (_error, socket) => socket.destroy() }: ServerHandlers,
  options: ListenOptions,
): Promise<HttpServer> {
  // Node would respond to a missing Host and to unknown expectations itself, without a body.
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, listener);
  server.on('checkExpectation', listener).on('clientError', clientError);
  if (connectionLimit) limitConnections(server, connectionLimit, clientError);
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

/** Of the file descriptors. The others are for connections to the database and for files. */
const CONNECTIONS_SHARE = 0.75;

/** The limit of open files of this process; Infinity if the system does not tell it. */
function maxOpenFiles(): number {
  try {
    const [, limit] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? Infinity : Number(limit);
  } catch {
    return Infinity; // not Linux
  }
}

/**
 * Refuses connections beyond the limit of their address: each takes a file descriptor and memory.
 * The connections of a proxy belong to many clients, and are not limited.
 */
function limitConnections(
  server: Server,
  { maxPerAddress, trustedProxies, onFull }: ConnectionLimit,
  refuse: NonNullable<ServerHandlers['clientError']>,
): void {
  const maxTotal = Math.floor(maxOpenFiles() * CONNECTIONS_SHARE);
  if (Number.isFinite(maxTotal)) server.maxConnections = maxTotal;
  server.on('drop', () => onFull(maxTotal));
  const open = createClientShares(maxPerAddress);
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (isAmong(trustedProxies, remoteAddress)) return;
    const client = [networkKey(remoteAddress ?? '')];
    if (!open.hasRoom(client))
      return refuse(Object.assign(new Error(), { code: TOO_MANY_CONNECTIONS }), socket);
    open.take(client);
    socket.once('close', () => open.giveBack(client));
  });
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

const DEFAULT_SETTINGS = { port: 'PORT', host: 'HOST' };

/**
 * Connections that the kernel queues until they are accepted, capped by net.core.somaxconn. In a
 * burst, clients beyond Node's default of 511 would retry after 1, 3, 7 and 15 s without leaving a
 * trace here.
 */
const BACKLOG = 4_096;

/** Reasons why an address cannot be used, by error code, and the setting to change. */
const LISTEN_ERRORS: Readonly<
  Record<string, { readonly reason: string; readonly setting: 'port' | 'host' }>
> = {
  EADDRINUSE: { reason: 'the port is in use', setting: 'port' },
  EACCES: { reason: 'permission denied', setting: 'port' },
  EADDRNOTAVAIL: { reason: 'this machine does not have that address', setting: 'host' },
  ENOTFOUND: { reason: 'the host name cannot be resolved', setting: 'host' },
  EAI_AGAIN: { reason: 'the host name cannot be resolved', setting: 'host' },
};
const ADVICE = { port: 'another port', host: 'another address' };

/**
 * Starts listening.
 * @throws Error with a one-line message that names the setting to change
 */
function listen(
  server: Server,
  { host, port, settings = DEFAULT_SETTINGS }: ListenOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const listenError = LISTEN_ERRORS[error.code ?? ''];
      const advice = listenError
        ? `. Set ${settings[listenError.setting]} to ${ADVICE[listenError.setting]}.`
        : '';
      const message = `Cannot listen on port ${port} of ${host}: ${listenError?.reason ?? error.message}${advice}`;
      reject(new Error(message, { cause: error }));
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
}

/** For requests that were on their way when that time ended. */
const GRACE_MS = 10_000;

/**
 * Closes idle connections only some time after the announced one, and only if nothing has arrived:
 * after a stall of this process, the timer runs before the request that arrived meanwhile is read.
 */
export function closeIdleLate(server: Server, graceMs = GRACE_MS): void {
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    const close = (): void => {
      if (socket.bytesRead === bytesRead) socket.destroySoon();
    };
    setTimeout(() => setImmediate(close), graceMs).unref();
  });
}

/** A tick of the event loop that takes longer is not idle. */
const IDLE_TICK_MS = 0.5;

/**
 * Closes the listener between two accepts: connections still in the kernel's backlog are reset on
 * close. Waits for an idle tick of the event loop that accepted no connection, but at most
 * `timeoutMs`: under a constant stream of new connections some resets cannot be avoided.
 */
function closeWhenIdle(server: Server, timeoutMs: number, close: () => void): void {
  const deadline = performance.now() + timeoutMs;
  let isIdle = false; // false for the current tick, which started earlier
  let tickStartedAt = 0;
  const onConnection = (): void => {
    isIdle = false;
  };
  const onTick = (): void => {
    const now = performance.now();
    if ((isIdle && now - tickStartedAt < IDLE_TICK_MS) || now > deadline) {
      close(); // synchronously: a connection made in between would be reset
      server.off('connection', onConnection);
      return;
    }
    isIdle = true;
    tickStartedAt = now;
    setImmediate(onTick);
  };
  server.on('connection', onConnection);
  setImmediate(onTick);
}
