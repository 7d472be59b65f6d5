import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { gatewayWith, type RequestOptions, type TestGateway } from '../fixtures/gateway.js';
import { aForm, aPdf, aPicture } from '../fixtures/media-files.js';
import { waitFor } from '../fixtures/wait-for.js';
import { expectError } from './v1-client.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await gatewayWith();
});
afterAll(() => gateway.close());

const upload = (body: FormData | string | Buffer, caller: RequestOptions = {}) =>
  gateway.request('/v1/media', { method: 'POST', body, caller });
const countMedia = async (): Promise<number> => gateway.db.prisma.media.count();
/** Names of all stored and temporary files. */
const files = async (): Promise<string[]> =>
  readdir(path.join(gateway.config.dataDir, 'media'), { recursive: true, withFileTypes: true })
    .then((entries) => entries.filter((entry) => entry.isFile()).map(({ name }) => name))
    .catch(() => []);

describe('an upload that is refused', () => {
  const picture = (): Promise<Buffer> => aPicture('png');
  const twice = async (): Promise<FormData> => {
    const form = aForm(await picture());
    form.append('file', new Blob(['x']), 'second.png');
    return form;
  };
  const without = (field: string): FormData => {
    const form = new FormData();
    form.append(field, 'x');
    return form;
  };

  it.each([
    [
      'HTML named as a picture',
      () => aForm(Buffer.from('<html>'), { name: 'a.png', type: 'image/png' }),
      422,
      /^file has none of the accepted formats/,
    ],
    [
      'SVG',
      () => aForm(Buffer.from('<svg/>'), { name: 'a.svg' }),
      422,
      /^file has none of the accepted formats/,
    ],
    ['an empty file', () => aForm(Buffer.alloc(0)), 422, /^file is empty\.$/],
    [
      'a damaged picture',
      async () => aForm((await picture()).subarray(0, 60)),
      422,
      /^file is damaged/,
    ],
    ['two files', twice, 400, /^file: is sent twice/],
    ['no file', () => without('caption'), 400, /^file: is required/],
    ['a text instead of a file', () => without('file'), 400, /^file: must be a file$/],
    [
      'an unknown field',
      async () => aForm(await picture(), { size: '1' }),
      400,
      /^size: unknown field; allowed: file, name, caption, in_library$/,
    ],
    [
      'a huge field name',
      async () => aForm(await picture(), { ['x'.repeat(5_000)]: '1' }),
      400,
      /unknown field/,
    ],
    [
      'a caption that is too long',
      async () => aForm(await picture(), { caption: 'x'.repeat(20_001) }),
      400,
      /^caption: may have at most 20000 characters/,
    ],
    [
      'a name that is too long',
      async () => aForm(await picture(), { name: 'x'.repeat(256) }),
      400,
      /^name: may have at most 255 characters/,
    ],
    [
      'an invalid flag',
      async () => aForm(await picture(), { in_library: 'yes' }),
      400,
      /^in_library: must be true or false$/,
    ],
  ] as const)('leaves nothing: %s', async (_name, body, status, message) => {
    const before = [await countMedia(), await files()];
    const response = await upload(await body());
    expectError(response, status, status === 400 ? 'BAD_USER_INPUT' : 'RULE_VIOLATION');
    expect(response.body.errors).toEqual([expect.stringMatching(message)]);
    expect([await countMedia(), await files()]).toEqual(before);
  });

  it('leaves nothing: a form that ends early', async () => {
    const before = [await countMedia(), await files()];
    const boundary = 'x';
    const response = await gateway.request('/v1/media', {
      method: 'POST',
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      body: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7`,
    });
    expectError(response, 400, 'BAD_USER_INPUT');
    expect(response.body.message).toBe('The body ended before it was complete.');
    expect([await countMedia(), await files()]).toEqual(before);
  });

  it('leaves nothing: a connection that is cut', async () => {
    const before = [await countMedia(), await files()];
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      [
        'POST /v1/media HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer-API ${gateway.owner.apiKey}`,
        `Service-Workspace-Id: ${gateway.owner.workspace.id}`,
        'Content-Type: multipart/form-data; boundary=x',
        'Content-Length: 1000000',
        '',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7',
      ].join('\r\n'),
    );
    await waitFor(async () => (await files()).length > (before[1] as string[]).length);
    socket.destroy();
    await waitFor(async () => (await files()).length === (before[1] as string[]).length);
    expect([await countMedia(), await files()]).toEqual(before);
  });

  it('is JSON, needs the scope, and a role that may add media', async () => {
    expectError(await gateway.v1('POST', '/media', { body: {} }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    const reader = await gateway.records.aViewer({ scopes: ['posts'] });
    expectError(await upload(aForm(aPdf()), { as: reader }), 403, 'MISSING_SCOPE');
    const viewer = await gateway.records.aViewer({
      workspaceId: gateway.owner.workspace.id,
      role: 'viewer',
    });
    expectError(await upload(aForm(aPdf()), { as: viewer }), 403, 'FORBIDDEN');
    expectError(await upload(aForm(aPdf()), { key: null }), 401, 'UNAUTHENTICATED');
  });
});
