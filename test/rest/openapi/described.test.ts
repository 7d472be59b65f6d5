import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { describedDoor } from '../../fixtures/described-proxy.js';
import { rawConnection } from '../../http/raw.js';

/** Every way in which tests ask a gateway, on a server that answers what the reference does not describe. */
describe('an answer that the reference does not describe', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 2, 'X-More': '1' })
        .end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const WHAT =
    /^The reference does not describe GET \/v1\/posts\?page=1 200:[^]*header x-request-id: missing[^]*header x-more: not described[^]*body: \/ must have required property/;

  it.each([
    ['an address', (path: string) => fetch(url + path)],
    ['a request', (path: string) => fetch(new Request(url + path))],
  ])('fails a fetch of %s', async (_what, ask) => {
    await expect(ask('/v1/posts?page=1')).rejects.toThrow(WHAT);
    expect(await (await ask('/readyz')).json()).toEqual({});
  });

  it.each(['/v1/posts?page=1', 'http://elsewhere/v1/posts?page=1'])(
    'fails who reads it byte by byte, of %s',
    async (target) => {
      const ask = async (wanted: string) => {
        const raw = await rawConnection(url);
        raw.write(`GET ${wanted} HTTP/1.1\r\nHost: a\r\n\r\n`);
        return raw.answer().finally(() => raw.end());
      };
      await expect(ask(target)).rejects.toThrow(WHAT);
      expect((await ask('/readyz')).body).toBe('{}');
    },
  );

  it('is told by the door that other programs go through, which passes it on', async () => {
    const door = await describedDoor(url);
    const raw = await rawConnection(door.url);
    raw.write('GET /v1/posts?page=1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect(raw.answer()).rejects.toThrow(WHAT);
    raw.end();
    expect(door.departures).toEqual([expect.stringMatching(WHAT)]);
    await door.close();
  });
});
