import { gzipSync } from 'node:zlib';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import { rawConnection } from './connections/raw-connection.js';

const LIMIT = 1_048_576;

describe('bodies', () => {
  let gateway: TestGateway;
  let id: string;
  beforeAll(async () => {
    gateway = await gatewayWith();
    id = (await gateway.records.aPost({ by: gateway.owner, text: 'before' })).id;
  });
  afterAll(() => gateway.close());

  const put = (
    body: string | Buffer,
    headers: Record<string, string> = { 'Content-Type': 'application/json' },
  ) => gateway.request(`/v1/posts/${id}`, { method: 'PUT', headers, body });
  const query = (
    body: string | Buffer,
    headers: Record<string, string> = { 'Content-Type': 'application/json' },
  ) => gateway.request('/graphql', { method: 'POST', headers, body });
  const text = async (): Promise<string> => (await gateway.v1('GET', `/posts/${id}`)).body.text;
  const padded = (length: number): string => {
    const body = JSON.stringify({ post: {} });
    return body + ' '.repeat(length - body.length);
  };

  const json = { 'Content-Type': 'application/json' };
  const invalid: [string, string | Buffer, Record<string, string>, number, string, RegExp][] = [
    [
      'malformed JSON',
      '{"post":{"text":"a"',
      json,
      400,
      'BAD_USER_INPUT',
      /^The body is not valid JSON( at position 19)?\.$/,
    ],
    [
      'a deeply nested body',
      '{"post":'.repeat(65) + '1' + '}'.repeat(65),
      json,
      400,
      'BAD_USER_INPUT',
      /deeper than 64/,
    ],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), json, 400, 'BAD_USER_INPUT', /UTF-8/],
    [
      'a form',
      'post=1',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /application\/json/,
    ],
    [
      'plain text',
      '{"post":{}}',
      { 'Content-Type': 'text/plain' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /application\/json/,
    ],
    [
      'another charset',
      '{"post":{}}',
      { 'Content-Type': 'application/json; charset=latin1' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /UTF-8/,
    ],
    [
      'a compressed body',
      gzipSync('{"post":{}}'),
      { ...json, 'Content-Encoding': 'gzip' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /encoded/,
    ],
    ['a byte over the limit', padded(LIMIT + 1), json, 413, 'PAYLOAD_TOO_LARGE', /1 MB/],
  ];

  it.each(invalid)(
    'reject %s in the format of v1, and change nothing',
    async (_what, body, headers, status, code, message) => {
      const answer = await put(body, headers);
      expect(answer).toMatchObject({
        status,
        body: { code, message: expect.stringMatching(message), errors: [expect.any(String)] },
      });
      expect(await text()).toBe('before');
    },
  );

  it.each(invalid)(
    'reject %s in the format of GraphQL',
    async (_what, body, headers, status, code, message) => {
      const answer = await query(body, headers);
      expect(answer).toMatchObject({
        status,
        body: { errors: [{ message: expect.stringMatching(message), extensions: { code } }] },
      });
      expect(answer.headers.get('x-ratelimit-remaining')).not.toBeNull();
    },
  );

  it('do not appear in the error for malformed JSON', async () => {
    const { body } = await put('{"post":{"text":secret}}');
    expect(body.message).toMatch(/^The body is not valid JSON( at position \d+)?\.$/);
  });

  it('accept 64 levels of nesting', async () => {
    const { body } = await put('{"post":'.repeat(64) + '1' + '}'.repeat(64));
    expect(body.errors).toEqual([expect.stringMatching(/^post.post: unknown key/)]);
  });

  it('accept exactly 1 MiB', async () => {
    expect((await put(padded(LIMIT))).status).toBe(200);
  });

  it('accept a charset', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect((await put('{"post":{}}', { 'Content-Type': type })).status).toBe(200);
    }
  });

  it('reject a missing body', async () => {
    for (const options of [{}, { headers: json }])
      expect(await gateway.v1('PUT', `/posts/${id}`, options)).toMatchObject({
        status: 400,
        body: { code: 'BAD_USER_INPUT' },
      });
  });

  describe('that are still being sent', () => {
    const head = (length: number | 'chunked', connection: string): string =>
      [
        `PUT /v1/posts/${id} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer-API ${gateway.owner.apiKey}`,
        `Service-Workspace-Id: ${gateway.owner.workspace.id}`,
        'Content-Type: application/json',
        `Connection: ${connection}`,
        length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
        '',
        '',
      ].join('\r\n');
    const chunk = `${(LIMIT / 2).toString(16)}\r\n${' '.repeat(LIMIT / 2)}\r\n`;

    it.each(['keep-alive', 'close'])(
      'get 413 before they are complete (Connection: %s)',
      async (connection) => {
        const raw = await rawConnection(gateway.url);
        raw.write(head(50 * LIMIT, connection) + ' '.repeat(1_000));
        const answer = await raw.response();
        expect([answer.status, JSON.parse(answer.body).code, answer.closed]).toEqual([
          413,
          'PAYLOAD_TOO_LARGE',
          false,
        ]);
        raw.write(' '.repeat(LIMIT)); // further data does not affect the response
        raw.end();
      },
    );

    it('get 413 without a Content-Length, once they exceed the limit', async () => {
      const raw = await rawConnection(gateway.url);
      raw.write(head('chunked', 'close') + chunk + chunk + chunk);
      expect((await raw.response()).status).toBe(413);
      raw.end();
    });

    it('are cut off if they never end', async () => {
      const raw = await rawConnection(gateway.url);
      const closed = new Promise((resolve) => raw.socket.once('close', resolve));
      raw.write(head('chunked', 'keep-alive'));
      const sending = setInterval(() => raw.write(chunk), 20);
      const startedAt = Date.now();
      await closed;
      clearInterval(sending);
      expect(Date.now() - startedAt).toBeLessThan(20_000);
    });

    it('get a response in a fetch that sends 20 MB', async () => {
      expect((await put(' '.repeat(20 * LIMIT))).status).toBe(413);
    });
  });
});
