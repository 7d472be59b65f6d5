import { gatewayWith, type TestGateway } from '../../fixtures/gateway.js';
import { rawConnection } from './raw-connection.js';

describe('unusual requests', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await gatewayWith();
  });
  afterAll(() => gateway.close());

  it.each([
    ['input that is not HTTP', 'hello\r\n\r\n', 400],
    [
      'two Content-Length headers',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    [
      'Content-Length and chunked encoding',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a header with a NUL', 'GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n', 400],
    ['a missing Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['oversized headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an unknown expectation', 'GET /nothing HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n', 404],
    [
      'a target with scheme and host',
      'GET http://elsewhere/healthz HTTP/1.1\r\nHost: a\r\n\r\n',
      200,
    ],
    [
      'such a target of a route that needs a key',
      'GET http://elsewhere/v1/posts HTTP/1.1\r\nHost: a\r\n\r\n',
      401,
    ],
    [
      'a target that is not a URL',
      'GET http://elsewhere:port/v1/posts HTTP/1.1\r\nHost: a\r\n\r\n',
      400,
    ],
    ['a target with a fragment', 'GET /healthz#x HTTP/1.1\r\nHost: a\r\n\r\n', 200],
    [
      'a target with a query and a fragment',
      'GET /v1/posts?a=1#x HTTP/1.1\r\nHost: a\r\n\r\n',
      401,
    ],
    ['an asterisk as target', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    ['HTTP/1.0', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
  ])('responds to %s in JSON', async (_what, text, status) => {
    const raw = await rawConnection(gateway.url);
    raw.write(text);
    const answer = await raw.response();
    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/content-type: application\/json/i);
    expect(answer.head).toMatch(/x-request-id: \S/i);
    expect(JSON.parse(answer.body)).toEqual(expect.any(Object));
    raw.end();
  });

  const RAW_TARGETS = [
    '/é',
    '/v1/posts/é',
    '/v1/posts?query=é',
    '/v1/posts?é=1',
    '/graphql?query=é',
    '/grapéhql',
    '/playground/é',
    '/healthz?é',
    '/sandbox/é',
    'http://elsewhere/v1/é',
    'http://é/v1/posts',
    'é',
  ];
  it.each(RAW_TARGETS)('responds with 400 to raw bytes in the target %j', async (target) => {
    for (const encoding of ['latin1', 'utf8'] as const) {
      const raw = await rawConnection(gateway.url);
      raw.write(Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, encoding));
      const { status, body } = await raw.response();
      raw.end();
      expect([status, body]).toEqual([400, expect.stringContaining('percent-encode')]);
    }
  });

  it('responds with 400 to each byte outside ASCII in a target', async () => {
    const statuses = new Set<number>();
    for (let byte = 0x80; byte <= 0xff; byte++) {
      const raw = await rawConnection(gateway.url);
      raw.write(
        Buffer.from(
          `GET /v1/posts/a${String.fromCharCode(byte)} HTTP/1.1\r\nHost: a\r\n\r\n`,
          'latin1',
        ),
      );
      statuses.add((await raw.response()).status);
      raw.end();
    }
    expect(statuses).toEqual(new Set([400]));
  });
});
