import { connect, type Socket } from 'node:net';
import pino from 'pino';
import { ERROR_PRESENTERS } from '../../../src/composition/telemetry.js';
import { createApp } from '../../../src/http/app.js';
import { writeResponse } from '../../../src/http/responses.js';
import { openServer, type HttpServer } from '../../../src/http/server.js';
import { waitFor } from '../../fixtures/wait-for.js';

/** By path. A large one is more than the kernel takes. */
const BODIES: Readonly<Record<string, string>> = {
  '/large': 'x'.repeat(16 * 1_048_576),
  '/pairs': `${'x'.repeat(65_535)}${'é😀'.repeat(50_000)}`,
};
let server: HttpServer;
let computed = 0;
let closeListeners: number[] = [];
const sockets: Socket[] = [];

beforeEach(async () => {
  computed = 0;
  closeListeners = [];
  const app = createApp({ log: pino({ level: 'silent' }), errorPresenters: ERROR_PRESENTERS });
  app.mount({
    graphql: () => Promise.reject(new Error('not used')),
    async rest(request, response) {
      computed += 1;
      closeListeners.push(request.socket.listenerCount('close'));
      writeResponse(response, { status: 200, body: BODIES[request.url!] ?? 'small' });
    },
    maxBodyBytes: () => 0,
    readiness: async () => ({ isReady: true, checks: {} }),
    isDatabaseResponsive: async () => true,
  });
  server = await openServer(app, { host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  sockets.splice(0).forEach((socket) => socket.destroy());
  await server.close(0);
});

/** Requests large answers that nobody reads. */
function requestUnread(count: number): void {
  for (let index = 0; index < count; index += 1) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined).write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    sockets.push(socket.pause());
  }
}

it('a client that leaves answers unread gets no further ones until it reads them', async () => {
  requestUnread(2);
  await waitFor(() => computed === 2);
  const refused = await fetch(`${server.url}/small`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await refused.json()).toEqual({
    error:
      'Too many requests with this key or from this address are incomplete, have unread answers, or had large ones a moment ago. Finish them, and retry.',
  });
  expect(computed).toBe(2);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  sockets.forEach((socket) => socket.resume());
  await waitFor(async () => (await fetch(`${server.url}/small`)).status === 200);
});

it('has room for a large answer as long as it gets one', async () => {
  requestUnread(1);
  await waitFor(() => computed === 1);
  expect((await fetch(`${server.url}/small`)).status).toBe(200);
});

it('a long text arrives as it is, also where a piece of it ends between two characters', async () => {
  const response = await fetch(`${server.url}/pairs`);
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(BODIES['/pairs']!)));
  expect((await response.text()) === BODIES['/pairs']).toBe(true);
});

it('a client that reads large answers at once gets them one after another for a moment', async () => {
  const statuses: number[] = [];
  for (let request = 0; request < 4; request += 1) {
    const response = await fetch(`${server.url}/large`);
    statuses.push(response.status);
    await response.arrayBuffer();
  }
  expect(statuses).toEqual([200, 200, 429, 429]);
});

it('answers leave no listeners on a connection that stays open', async () => {
  const requests = 12;
  for (let request = 0; request < requests; request += 1)
    await (await fetch(`${server.url}/pairs`)).arrayBuffer();
  expect(closeListeners).toHaveLength(requests);
  expect(Math.max(...closeListeners)).toBeLessThan(requests / 2);
});
