import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { openDescribedProxy } from '../../fixtures/described-proxy.js';
import { rawConnection } from '../../http/connections/raw-connection.js';

/**
 * Every HTTP client of the tests, against a server whose responses the OpenAPI document does not
 * describe.
 */
describe('a response that the OpenAPI document does not describe', () => {
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
    /^The OpenAPI document does not describe GET \/v1\/posts\?page=1 200:[^]*header x-request-id: missing[^]*header x-more: not described[^]*body: \/ must have required property/;

  it.each([
    ['an address', (path: string) => fetch(url + path)],
    ['a request', (path: string) => fetch(new Request(url + path))],
  ])('fails a fetch of %s', async (_what, ask) => {
    await expect(ask('/v1/posts?page=1')).rejects.toThrow(WHAT);
    expect(await (await ask('/readyz')).json()).toEqual({});
  });

  it.each(['/v1/posts?page=1', 'http://elsewhere/v1/posts?page=1'])(
    'fails a raw connection that requests %s',
    async (target) => {
      const send = async (path: string) => {
        const raw = await rawConnection(url);
        raw.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
        return raw.response().finally(() => raw.end());
      };
      await expect(send(target)).rejects.toThrow(WHAT);
      expect((await send('/readyz')).body).toBe('{}');
    },
  );

  it('is reported by the proxy for other programs, which forwards it', async () => {
    const proxy = await openDescribedProxy(url);
    const raw = await rawConnection(proxy.url);
    raw.write('GET /v1/posts?page=1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect(raw.response()).rejects.toThrow(WHAT);
    raw.end();
    expect(proxy.violations).toEqual([expect.stringMatching(WHAT)]);
    await proxy.close();
  });
});
