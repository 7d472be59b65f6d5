import type { Socket } from 'node:net';
import type { KeyedViewer } from '../fixtures/records.js';
import { ATTACKER_ADDRESS } from './neighbourhood.js';
import type { Route } from './route.js';

/** Connections that are opened again whenever they end. */
export interface AttackerConnections {
  /** Number of first responses by their status. Empty if nothing is read. */
  readonly statuses: ReadonlyMap<number, number>;
  open(): number;
  /** How many have ended. */
  ended(): number;
}

/** What an attacker sends, and how it reads. */
interface Behaviour {
  readonly count: number;
  readonly text: string | Buffer;
  /** Whether answers are read, by default. */
  readonly reads?: boolean;
  /** Milliseconds between two connections. */
  readonly pauseMs?: number;
}

/** The head of a request of the attacker. */
export const headOf = (
  { apiKey, workspace }: KeyedViewer,
  requestLine: string,
  headers: Readonly<Record<string, string | number>> = {},
): string =>
  [
    `${requestLine} HTTP/1.1`,
    'Host: gateway',
    `Authorization: Bearer-API ${apiKey}`,
    `Service-Workspace-Id: ${workspace.id}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** Between empty lines on connections whose answers are not read. */
const NUDGE_MS = 1_000;

/** Ends what `keepConnections` keeps open. */
const closing = new Set<() => void>();

/** Closes all connections of attackers, for good. */
export function closeConnections(): void {
  for (const close of closing) close();
  closing.clear();
}

/** Keeps `count` connections open to the gateways, until `closeConnections`. */
export function keepConnections(
  { connect }: Route,
  { count, text, reads = true, pauseMs = 0 }: Behaviour,
): AttackerConnections {
  const statuses = new Map<number, number>();
  const sockets = new Set<Socket>();
  let isClosed = false;
  let ended = 0;

  function open(): void {
    if (isClosed) return;
    const socket = connect(ATTACKER_ADDRESS);
    sockets.add(socket);
    socket.write(text); // once it is connected
    socket
      .on('error', () => undefined)
      .once('close', () => {
        sockets.delete(socket);
        ended += 1;
        setTimeout(open, pauseMs);
      });
    if (!reads) {
      socket.pause();
      // Only what is sent shows that a connection has ended whose answer is not read.
      const timer = setInterval(() => socket.write('\r\n'), NUDGE_MS);
      socket.once('close', () => clearInterval(timer));
      return;
    }
    socket.once('data', (answer) => {
      const status = Number(answer.toString('latin1').split(' ')[1]);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    socket.resume();
  }

  closing.add(() => {
    isClosed = true;
    for (const socket of sockets) socket.destroy();
  });
  for (let n = 0; n < count; n += 1) setTimeout(open, n * pauseMs);
  return {
    statuses,
    open: () => [...sockets].filter((socket) => socket.readyState === 'open').length,
    ended: () => ended,
  };
}
