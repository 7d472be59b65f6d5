import { withGateway } from '../../fixtures/gateway.js';
import { aPdf, aPicture } from '../../fixtures/media-files.js';
import { expectError } from '../v1-client.js';

const clock = { time: new Date('2026-11-22T12:00:00Z'), now: () => clock.time };
const gateway = withGateway({ clock });

const CREATE = `mutation($input: CreateMediaUploadInput!) { createMediaUpload(input: $input) {
  mediaId url expiresAt userErrors { code message field rule } clientMutationId } }`;
const create = async (input: object = {}) =>
  (await gateway.graphql(CREATE, { input: { name: 'shop.png', bytes: 1_000, ...input } })).body;
/** The address for this file. */
const uploadUrl = async ({ length: bytes }: Uint8Array): Promise<string> =>
  (await create({ bytes })).data.createMediaUpload.url;
const send = async (url: string, content: Uint8Array) => {
  const { pathname } = new URL(url);
  return gateway.request(pathname, {
    method: 'PUT',
    body: new Uint8Array(content),
    caller: { key: null, workspace: null },
  });
};
const mediaOf = async (id: string) =>
  (
    await gateway.graphql(
      'query($id: ID!) { node(id: $id) { ... on Media { type ready error width title altText } } }',
      { id },
    )
  ).body.data.node;

describe('an upload address (D63)', () => {
  it('takes the bytes of one file, without a key', async () => {
    const picture = await aPicture('gif');
    const { data } = await create({
      bytes: picture.length,
      altText: 'The shop',
      clientMutationId: 'c',
    });
    const { mediaId, url, expiresAt, ...payload } = data.createMediaUpload;
    expect(payload).toEqual({ userErrors: [], clientMutationId: 'c' });
    expect(expiresAt).toBe('2026-11-22T13:00:00.000Z');
    expect(await mediaOf(mediaId)).toEqual({
      type: 'PHOTO'.toLowerCase(),
      ready: false,
      error: null,
      width: null,
      title: 'shop.png',
      altText: 'The shop',
    });
    const { status, body } = await send(url, picture);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: mediaId,
      type: 'gif',
      width: 600,
      name: 'shop.png',
      caption: 'The shop',
    });
    expect(await mediaOf(mediaId)).toMatchObject({ type: 'gif', ready: true, width: 600 });
    expect((await fetch(body.path as string)).status).toBe(200);
    expectError(await send(url, aPdf()), 404, 'NOT_FOUND');
  });

  it('can be used again after a file that is refused, until it expires', async () => {
    const { url, mediaId } = (await create({ name: 'a.pdf', bytes: 6 })).data.createMediaUpload;
    const refused = await send(url, Buffer.from('<svg/>'));
    expectError(refused, 422, 'RULE_VIOLATION');
    expect(await mediaOf(mediaId)).toMatchObject({ ready: false, error: null });
    clock.time = new Date(clock.time.getTime() + 3_600_000);
    expectError(await send(url, aPdf()), 404, 'NOT_FOUND');
    expectError(await send(`${url}x`, aPdf()), 404, 'NOT_FOUND');
  });

  it('takes only a file of the size that was announced', async () => {
    const pdf = aPdf();
    const { url, mediaId } = (await create({ bytes: pdf.length })).data.createMediaUpload;
    for (const [content, problem] of [
      [pdf.subarray(1), `has ${pdf.length - 1} bytes, not`],
      [Buffer.concat([pdf, Buffer.from('x')]), 'has more than'],
      [Buffer.alloc(0), 'has 0 bytes, not'],
    ] as const) {
      const refused = await send(url, content);
      expectError(refused, 422, 'RULE_VIOLATION');
      expect(refused.body.errors).toEqual([
        `file ${problem} the ${pdf.length} bytes with which the upload was created.`,
      ]);
    }
    expect(await mediaOf(mediaId)).toMatchObject({ ready: false, error: null });
    expect((await send(url, pdf)).status).toBe(200);
  });

  it('takes one of two files that arrive together', async () => {
    const url = await uploadUrl(aPdf());
    const responses = await Promise.all([send(url, aPdf()), send(url, aPdf())]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('is not an address of the file', async () => {
    const { url } = (await create()).data.createMediaUpload;
    expectError(await gateway.request(new URL(url as string).pathname), 404, 'NOT_FOUND');
  });

  it('is not created for a file that is too large, or by a viewer', async () => {
    for (const bytes of [0, 209_715_201])
      expect((await create({ bytes })).data.createMediaUpload).toMatchObject({
        mediaId: null,
        url: null,
        userErrors: [{ code: 'RULE_VIOLATION', field: ['input', 'bytes'], rule: 'D63' }],
      });
    const { errors } = await create({ name: 'x'.repeat(256) });
    expect(errors[0].extensions.code).toBe('BAD_USER_INPUT');
    const as = await gateway.records.aViewer({
      workspaceId: gateway.owner.workspace.id,
      role: 'viewer',
    });
    const { body } = await gateway.graphql(CREATE, { input: { name: 'a', bytes: 1 } }, { as });
    expect(body.data.createMediaUpload.userErrors).toMatchObject([{ code: 'FORBIDDEN' }]);
  });
});
