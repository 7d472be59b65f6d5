import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withNetworkClient } from '../../../src/networks/http-client/network-client.js';
import { createHttpClient } from '../../../src/networks/http-client/http-client.js';
import { bytesStream, fileBody } from '../../../src/networks/http-client/upload-body.js';
import { systemClock } from '../../../src/services/clock.js';
import type { FindStoredMedia } from '../../../src/services/networks/network-ports.js';

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

  const read = (storedMedia: FindStoredMedia) =>
    withNetworkClient(
      createHttpClient({ allowLoopback: true, clock: systemClock, storedMedia }),
      { errors: { networkName: 'Example', errorMessage: () => null }, remoteId: null, secrets: [] },
      async (client) => ({ kind: 'read', ...(await client.readMedia({ id: 'med_1', url })) }),
    );

  it('is the one that the service keeps, without a request', async () => {
    const ids: string[] = [];
    const result = await read(async ({ id }) => {
      ids.push(id);
      return bytesStream(stored);
    });
    expect([result, ids, requests]).toEqual([{ kind: 'read', ...stored }, ['med_1'], 0]);
  });

  it('is fetched if the service does not keep it', async () => {
    const bytes = new Uint8Array(Buffer.from('jpeg'));
    expect(await read(async () => null)).toEqual({ kind: 'read', type: 'image/jpeg', bytes });
    expect(requests).toBe(1);
  });

  const disk = (): Promise<never> => Promise.reject(new Error('disk'));
  const tooLarge = { ...bytesStream(stored), size: 50 * 1_048_576 + 1 };
  it.each<[string, FindStoredMedia, string, string]>([
    ['it is too large', async () => tooLarge, 'NETWORK_REFUSED', 'has more than 50 MB'],
    ['it is not found', disk, 'NETWORK_UNAVAILABLE', 'cannot be read from the storage'],
    [
      'it cannot be opened',
      async () => ({ ...bytesStream(stored), open: disk }),
      'NETWORK_UNAVAILABLE',
      'cannot be read from the storage',
    ],
  ])('cannot be sent if %s', async (_name, find, code, reason) => {
    expect(await read(find)).toEqual({
      kind: 'failed',
      code,
      message: `The file ${url} ${reason}.`,
      isUnsent: true,
    });
    expect(requests).toBe(0);
  });
});

describe('a file that is sent as a stream', () => {
  let received: number;
  let url: string;
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => (received += part.length));
    request.on('end', () =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}'),
    );
  });
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    received = 0;
  });

  const TIMEOUT_MS = 1_000;
  const [PARTS, PART] = [20, new Uint8Array(1_000)];
  /** Sends a file of several parts, each of which comes after a pause. */
  const upload = (pauseMs: number) => {
    async function* parts() {
      for (let sent = 0; sent < PARTS; sent += 1) {
        await sleep(pauseMs, undefined, { ref: false });
        yield PART;
      }
    }
    const file = { type: 'video/mp4', size: PARTS * PART.length, open: async () => parts() };
    const timeouts = { requestMs: TIMEOUT_MS, totalMs: TIMEOUT_MS };
    return withNetworkClient(
      createHttpClient({ allowLoopback: true, clock: systemClock, timeouts }),
      { errors: { networkName: 'Example', errorMessage: () => null }, remoteId: null, secrets: [] },
      (client) => client.request('POST', url, { body: fileBody(file) }),
    );
  };

  it('may take longer than any timeout, as long as its bytes flow', async () => {
    expect(await upload((2 * TIMEOUT_MS) / PARTS)).toEqual({ ok: true });
    expect(received).toBe(PARTS * PART.length);
  });

  it('times out when they do not', async () => {
    expect(await upload(10 * TIMEOUT_MS)).toMatchObject({
      kind: 'failed',
      code: 'NETWORK_UNAVAILABLE',
      message: 'Example is unavailable: it did not respond within 1 seconds.',
    });
  });
});
