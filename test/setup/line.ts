import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A way to a server that can become slow, silent, or lead elsewhere. */
export interface Line {
  /** Of 127.0.0.1: who connects here is connected with the server. */
  readonly port: number;
  /** Where new connections lead from now on. */
  leadTo(port: number): void;
  /** What clients send arrives so many milliseconds later: with 500, each question takes half a second more. */
  delay(ms: number): void;
  /** From now on nothing that clients send arrives, and nobody is told. */
  freeze(): void;
  /** What was held back arrives, in its order. */
  thaw(): void;
  close(): Promise<void>;
}

export async function lineTo(target: number): Promise<Line> {
  const sockets = new Set<Socket>();
  let [leadsTo, delayMs] = [target, 0];
  let thawed: Promise<void> | undefined;
  let thaw = (): void => undefined;

  const server = createServer((client) => {
    const far = connect(leadsTo, '127.0.0.1');
    for (const [one, other] of [
      [client, far],
      [far, client],
    ] as const) {
      sockets.add(one);
      one
        .setNoDelay(true)
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
    }
    let earlier = Promise.resolve();
    client.on('data', (piece) => {
      const arrivesAt = performance.now() + delayMs;
      earlier = earlier.then(async () => {
        const left = arrivesAt - performance.now();
        if (left > 0) await sleep(left);
        await thawed;
        far.write(piece);
      });
    });
    far.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      leadsTo = port;
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
    async close() {
      thaw();
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await once(server, 'close');
    },
  };
}
