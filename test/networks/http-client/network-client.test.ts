import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withNetworkClient } from '../../../src/networks/http-client/network-client.js';
import { createHttpClient } from '../../../src/networks/http-client/http-client.js';
import { FileTooLargeError } from '../../../src/domain/media/media-file.js';
import { systemClock } from '../../../src/services/clock.js';
import type { ReadStoredMedia } from '../../../src/services/networks/network-ports.js';

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

describe('the file of a media item', () => {
  const stored = { type: 'image/png', bytes: new Uint8Array([1, 2, 3]) };
  let requests: number;
  let url: string;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(200, { 'Content-Type': 'Image/JPEG; q=1' }).end('jpeg');
  });
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a`;
  });
  afterAll(() => server.close());
  beforeEach(() => {
    requests = 0;
  });

  const read = (storedMedia: ReadStoredMedia) =>
    withNetworkClient(
      createHttpClient({ allowLoopback: true, clock: systemClock, storedMedia }),
      { errors: { networkName: 'Example', errorMessage: () => null }, remoteId: null, secrets: [] },
      async (client) => ({ kind: 'read', ...(await client.readMedia({ id: 'med_1', url })) }),
    );

  it('is the one that the service keeps, without a request', async () => {
    const ids: string[] = [];
    const result = await read(async (id) => {
      ids.push(id);
      return stored;
    });
    expect([result, ids, requests]).toEqual([{ kind: 'read', ...stored }, ['med_1'], 0]);
  });

  it('is fetched if the service does not keep it', async () => {
    const bytes = new Uint8Array(Buffer.from('jpeg'));
    expect(await read(async () => null)).toEqual({ kind: 'read', type: 'image/jpeg', bytes });
    expect(requests).toBe(1);
  });

  it.each([
    [new FileTooLargeError('too large'), 'NETWORK_REFUSED', 'has more than 20 MB'],
    [new Error('disk'), 'NETWORK_UNAVAILABLE', 'cannot be read from the storage'],
  ])('cannot be sent after %s', async (error, code, reason) => {
    expect(await read(() => Promise.reject(error))).toEqual({
      kind: 'failed',
      code,
      message: `The file ${url} ${reason}.`,
      isUnsent: true,
    });
    expect(requests).toBe(0);
  });
});
