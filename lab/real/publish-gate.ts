import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** When the gate interrupts the call that publishes: before the network gets it, or after. */
export type Interruption = 'before' | 'after';

/** A proxy in front of a network that can interrupt the call that publishes. */
export interface PublishGate {
  readonly url: string;
  /**
   * Interrupts the next call that publishes: runs `work`, and then cuts the connection without a
   * response. Resolves when that has happened.
   */
  interrupt(when: Interruption, work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

interface Armed {
  readonly when: Interruption;
  readonly work: () => Promise<void>;
  readonly done: () => void;
}

/** Opens a gate to the server at `target`. `isPublishing`: of `METHOD path`. */
export async function openPublishGate(target: string, isPublishing: RegExp): Promise<PublishGate> {
  let armed: Armed | null = null;

  async function pass(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const { pathname } = new URL(message.url!, target);
    const interruption = isPublishing.test(`${message.method} ${pathname}`) ? armed : null;
    if (interruption) armed = null;
    if (interruption?.when !== 'before') {
      const reply = await forward(target, message, Buffer.concat(chunks));
      if (!interruption) {
        response.writeHead(reply.status, reply.headers).end(reply.body);
        return;
      }
    }
    await interruption!.work();
    response.destroy();
    interruption!.done();
  }

  const server = createServer((message, response) => {
    pass(message, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    interrupt: (when, work) =>
      new Promise((done) => {
        armed = { when, work, done };
      }),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function forward(target: string, message: IncomingMessage, body: Buffer) {
  const url = new URL(message.url!, target);
  const forwarded = request(url, {
    // A connection of its own: some servers close connections without saying so.
    agent: false,
    method: message.method!,
    headers: { ...message.headers, host: url.host },
  });
  forwarded.end(body);
  const [reply] = (await once(forwarded, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  const { 'transfer-encoding': _encoding, ...headers } = reply.headers;
  return { status: reply.statusCode!, headers, body: Buffer.concat(chunks) };
}
