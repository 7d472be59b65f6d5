import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { lingerOnClose } from '../../../src/http/request-end.js';
import { rawConnection } from './raw-connection.js';
import { waitFor } from '../../fixtures/wait-for.js';

let socket: Socket | undefined;
const server = createServer((request, response) => {
  socket = request.socket;
  lingerOnClose(request, response);
  response.end('no');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('leaves no listeners on a connection that is kept alive', async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const raw = await rawConnection(
    `http://127.0.0.1:${(server.address() as { port: number }).port}`,
  );
  let received = '';
  raw.socket.on('data', (text: string) => {
    received += text;
  });
  const listeners: number[] = [];
  for (let request = 1; request <= 3; request++) {
    raw.write('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n');
    await waitFor(() => received.split('HTTP/1.1 200').length > request);
    raw.write('{}'); // the body, after the response
    await waitFor(() => socket!.bytesRead >= raw.socket.bytesWritten);
    listeners.push(socket!.listenerCount('close'));
  }
  expect(new Set(listeners)).toEqual(new Set([listeners[0]]));
  raw.end();
});
