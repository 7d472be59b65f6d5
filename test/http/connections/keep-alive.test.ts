import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { closeIdleLate } from '../../../src/http/server.js';
import { openServer } from '../../../src/http/server.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const respond: RequestListener = (_request, response) => response.end('ok');

/** Sends a request and returns the response; an empty text if the connection was closed instead. */
async function exchange(socket: Socket): Promise<string> {
  socket.write(REQUEST);
  const [received] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [
    Buffer | boolean,
  ];
  return typeof received === 'boolean' ? '' : received.toString();
}

/** Keeps the whole process from running, like a busy machine. */
const stall = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

describe('a connection that was just answered', () => {
  it('is kept for longer than clients and load balancers keep theirs, and says for how long', async () => {
    const server = await openServer({ listener: respond }, { host: '127.0.0.1', port: 0 });
    const response = await fetch(server.url);
    expect(response.headers.get('keep-alive')).toBe('timeout=65');
    await response.text();
    await server.close(0);
  });
});

describe('a connection whose time is over', () => {
  /** Node.js adds a second to the time that it announces. */
  const KEEP_MS = 1_100;
  const GRACE_MS = 300;
  let server: Server;
  let socket: Socket;
  beforeEach(async () => {
    server = createServer({ keepAliveTimeout: KEEP_MS - 1_000 }, respond);
    closeIdleLate(server, GRACE_MS);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    expect(await exchange(socket)).toMatch(/^HTTP\/1.1 200/);
  });
  afterEach(() => {
    socket.destroy();
    server.close();
  });

  it.each([
    ['when the announced time ended', KEEP_MS],
    ['when the grace ended', KEEP_MS + GRACE_MS],
  ])('serves a request that arrived during a stall %s', async (_name, stalledFrom) => {
    await new Promise((resolve) => setTimeout(resolve, stalledFrom - 100));
    const response = exchange(socket);
    stall(200);
    expect(await response).toMatch(/^HTTP\/1.1 200/);
  });

  it('is closed afterwards', async () => {
    const since = performance.now();
    await once(socket, 'close');
    expect(performance.now() - since).toBeGreaterThan(KEEP_MS + GRACE_MS - 50);
  });
});
