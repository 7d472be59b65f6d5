import { gatewayWith, type RequestOptions, type TestGateway } from '../fixtures/gateway.js';
import { eventsOfWorkspace } from '../fixtures/event-rows.js';
import { aForm, aPdf, aPicture, aVideo } from '../fixtures/media-files.js';
import { expectError } from './v1-client.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await gatewayWith();
});
afterAll(() => gateway.close());

const upload = (body: FormData | string | Buffer, caller: RequestOptions = {}) =>
  gateway.request('/v1/media', { method: 'POST', body, caller });

describe('uploading media (D63)', () => {
  it('stores a picture and serves it and its thumbnail', async () => {
    const picture = await aPicture('jpeg', { width: 800, height: 600 });
    const { status, body } = await upload(
      aForm(picture, { name: 'Läden.jpg', caption: 'The shop' }),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: 'photo',
      name: 'Läden.jpg',
      caption: 'The shop',
      width: 800,
      height: 600,
      validity: { instagram: { photo: true, video: 'A video post takes video, not photo.' } },
    });
    expect(body.path).toMatch(new RegExp(`^${gateway.url}/media/${body.id as string}/[\\w-]{22}$`));
    const file = await fetch(body.path as string);
    expect(file.status).toBe(200);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(picture.length),
      'content-disposition': "inline; filename*=UTF-8''L%C3%A4den.jpg",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
    });
    expect(file.headers.get('x-ratelimit-limit')).toBeNull();
    expect(Buffer.from(await file.arrayBuffer())).toEqual(picture);
    const thumbnail = await fetch(body.thumbnail as string);
    expect(thumbnail.headers.get('content-type')).toBe('image/webp');
    expect((await gateway.v1('GET', '/media')).body.media).toContainEqual({
      id: body.id,
      type: 'photo',
      url: body.path,
      alt_text: 'The shop',
    });
  });

  it('shows the file through GraphQL', async () => {
    const { body } = await upload(aForm(await aPicture('gif'), { name: 'a.gif' }));
    const { body: found } = await gateway.graphql(
      'query($id: ID!) { node(id: $id) { ... on Media { type url title width height bytes thumbnailUrl ready error validity { network type valid reason } } } }',
      { id: body.id },
    );
    expect(found.errors).toBeUndefined();
    expect(found.data.node).toMatchObject({
      type: 'gif',
      url: body.path,
      title: 'a.gif',
      width: 600,
      height: 300,
      thumbnailUrl: body.thumbnail,
      ready: true,
      error: null,
    });
    expect(found.data.node.validity).toContainEqual({
      network: 'TWITTER',
      type: 'GIF',
      valid: true,
      reason: null,
    });
  });

  it('writes an event, which others see if the item is in the library', async () => {
    const { body: shared } = await upload(aForm(aPdf()));
    const { body: own } = await upload(aForm(aPdf(), { in_library: 'false' }));
    const events = await eventsOfWorkspace(gateway.db.pool, gateway.owner.workspace.id);
    const common = { type: 'media.ready', api: 'rest', userId: gateway.owner.user.id };
    expect(events.slice(-2)).toMatchObject([
      { ...common, recordId: shared.id, visibleTo: null },
      { ...common, recordId: own.id, visibleTo: gateway.owner.user.id },
    ]);
    expect(await gateway.db.prisma.unusedMediaFile.count()).toBe(0);
  });

  it('serves ranges, and answers conditional requests', async () => {
    const video = aVideo(1_000);
    const { body } = await upload(aForm(video));
    expect(body).toMatchObject({ type: 'video', thumbnail: null, width: null, height: null });
    const get = (headers: Record<string, string>, method = 'GET') =>
      fetch(body.path as string, { headers, method });
    const part = await get({ Range: 'bytes=4-11' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 4-11/1000']);
    expect(await part.text()).toBe('ftypisom');
    expect((await get({ Range: 'bytes=1000-' })).status).toBe(416);
    const head = await get({}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '1000']);
    expect((await get({ 'If-None-Match': head.headers.get('etag')! })).status).toBe(304);
    expect((await get({ Range: 'bytes=0-3', 'If-Range': '"other"' })).status).toBe(200);
  });

  it('serves nothing without the right address', async () => {
    const { body } = await upload(aForm(aPdf()));
    const token = (body.path as string).split('/').at(-1)!;
    const id = body.id as string;
    for (const wrong of [
      `/media/${id}/${token.slice(1)}A`,
      `/media/${id}/`,
      `/media/${id}`,
      `/media/${id}/${token}/thumbnail`,
      `/media/${id}/${token}/other`,
      `/media/med_0000000000000000/${token}`,
      `/media/..%2f..%2fcredentials.key/${token}`,
      '/media/',
    ])
      expectError(await gateway.request(wrong, { caller: { key: null } }), 404, 'NOT_FOUND');
    expectError(
      await gateway.request(`/media/${id}/${token}`, { method: 'DELETE' }),
      405,
      'METHOD_NOT_ALLOWED',
    );
  });
});
