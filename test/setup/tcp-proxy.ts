import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PacketFilter } from './packet-filter.js';

/** A TCP proxy on 127.0.0.1 that can delay, freeze and redirect traffic. */
export interface TcpProxy {
  /** The port to connect to. */
  readonly port: number;
  /** Sets the target of new connections. */
  forwardTo(target: number): void;
  /** Delays what clients send: with 500, each request takes half a second longer. */
  delay(ms: number): void;
  /** Holds back what clients send; connections stay open. */
  freeze(): void;
  /** Delivers what was held back, in order. */
  thaw(): void;
  /**
   * Like a host without power: open connections stay open, and nothing passes through them any
   * more; new ones get no answer either. Without a packet filter, the kernel of the host still
   * accepts connections and acknowledges packets.
   */
  goSilent(): void;
  /** How many connections were opened while the proxy is silent. */
  unanswered(): number;
  /** New connections reach their target again; the earlier ones stay silent. */
  takeOver(): void;
  close(): Promise<void>;
}

export async function openTcpProxy(target: number, filter?: PacketFilter): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let [targetPort, delayMs] = [target, 0];
  let thawed: Promise<void> | undefined;
  let thaw = (): void => undefined;
  let isSilent = false;
  let unanswered = 0;
  let silence = new AbortController();

  const server = createServer((client) => {
    if (isSilent) {
      unanswered += 1;
      sockets.add(client.on('error', () => undefined));
      return;
    }
    const { signal } = silence;
    const upstream = connect(targetPort, '127.0.0.1');
    for (const [socket, peer] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket
        .setNoDelay(true)
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          if (!signal.aborted) peer.destroy();
        });
    }
    clients.add(client.on('close', () => clients.delete(client)));
    let delivered = Promise.resolve();
    client.on('data', (chunk) => {
      const deliverAt = performance.now() + delayMs;
      delivered = delivered.then(async () => {
        const remaining = deliverAt - performance.now();
        if (remaining > 0) await sleep(remaining);
        await thawed;
        if (!signal.aborted) upstream.write(chunk);
      });
    });
    upstream.on('data', (chunk) => {
      if (!signal.aborted) client.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const { port } = server.address() as AddressInfo;
  return {
    port,
    forwardTo(newTarget) {
      targetPort = newTarget;
    },
    delay(ms) {
      delayMs = ms;
    },
    freeze() {
      thawed ??= new Promise((resolve) => {
        thaw = resolve;
      });
    },
    thaw() {
      thaw();
      thawed = undefined;
    },
    goSilent() {
      isSilent = true;
      unanswered = 0;
      silence.abort();
      filter?.dropAll(port);
    },
    unanswered: () => unanswered,
    takeOver() {
      isSilent = false;
      silence = new AbortController();
      const earlier = [...clients].map(({ remotePort }) => remotePort!);
      filter?.dropOnly(port, earlier);
    },
    async close() {
      thaw();
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await once(server, 'close');
    },
  };
}
