import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withNetworkClient } from '../../../src/networks/http-client/network-client.js';
import { createHttpClient } from '../../../src/networks/http-client/http-client.js';
import { systemClock } from '../../../src/services/clock.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('times out even if memory is garbage-collected while it waits', async () => {
  const server = createServer(() => collectGarbage()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const http = createHttpClient({
    allowLoopback: true,
    clock: systemClock,
    timeouts: { requestMs: 300, totalMs: 20_000 },
  });
  const result = withNetworkClient(
    http,
    { errors: { networkName: 'Example', errorMessage: () => null }, remoteId: null, secrets: [] },
    (client) =>
      client.request('GET', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
  );
  expect(await result).toEqual({
    kind: 'failed',
    code: 'NETWORK_UNAVAILABLE',
    message: 'Example is unavailable: it did not respond within 0.3 seconds.',
  });
  server.close();
  server.closeAllConnections();
});
