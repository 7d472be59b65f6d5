import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import sharp from 'sharp';
import { eventsOfWorkspace } from '../../fixtures/event-rows.js';
import { type RequestOptions, withGateway } from '../../fixtures/gateway.js';
import { aForm, aPdf, aPicture, aVideo, VIDEO_FILES } from '../../fixtures/media-files.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { expectError } from '../v1-client.js';

const gateway = withGateway();

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

  it('removes the position from pictures, through both APIs', async () => {
    const exif = { IFD0: { Model: 'SERIAL-4711' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } };
    const picture = await sharp(await aPicture('jpeg'))
      .withExif(exif)
      .toBuffer();
    expect(picture.includes('SERIAL-4711')).toBe(true);
    const { body } = await upload(aForm(picture, { name: 'shop.jpg' }));
    const { body: created } = await gateway.graphql(
      'mutation ($bytes: Int!) { createMediaUpload(input: { name: "shop.jpg", bytes: $bytes }) { url } }',
      { bytes: picture.length },
    );
    const sent = await fetch(created.data.createMediaUpload.url as string, {
      method: 'PUT',
      body: new Uint8Array(picture),
    });
    for (const { path: url } of [body, (await sent.json()) as { path: string }]) {
      const file = Buffer.from(await (await fetch(url as string)).arrayBuffer());
      expect((await sharp(file).metadata()).exif).toBeUndefined();
      expect(file.length).toBeLessThan(picture.length);
    }
  });

  it('says what a video is, through both APIs', async () => {
    const file = VIDEO_FILES.mov({ width: 1_920, height: 1_080, rotated: true, seconds: 12.5 });
    const { status, body } = await upload(aForm(file, { name: 'a.mov' }));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: 'video',
      width: 1_080,
      height: 1_920,
      duration_ms: 12_500,
      video_codec: 'hevc',
      audio_codec: 'aac',
      frame_rate: 30,
    });
    const { body: found } = await gateway.graphql(
      'query($id: ID!) { node(id: $id) { ... on Media { width height durationMs videoCodec audioCodec frameRate validity { network type reason } } } }',
      { id: body.id },
    );
    expect(found.data.node).toMatchObject({
      width: 1_080,
      height: 1_920,
      durationMs: 12_500,
      videoCodec: 'hevc',
      audioCodec: 'aac',
      frameRate: 30,
    });
    expect(found.data.node.validity).toContainEqual({
      network: 'BLUESKY',
      type: 'VIDEO',
      reason: 'On bluesky, a video must be MP4.',
    });
  });

  it('refuses a post with a video that is too long, through both APIs, on a sandbox account', async () => {
    const { body: video } = await upload(aForm(VIDEO_FILES.mp4({ seconds: 181 })));
    const { records, owner } = gateway;
    const workspaceId = owner.workspace.id;
    const account = await records.anAccount({ workspaceId, sandbox: true, network: 'bluesky' });
    const message =
      'media.0 cannot be published: On bluesky, a video must last at most 180 seconds; it lasts 181.';
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const media = [{ id: video.id }];
    for (const dryRun of [true, false]) {
      const { body: created } = await gateway.graphql(
        'mutation($input: CreatePostsInput!) { createPosts(input: $input) { results { post { id } message } userErrors { code field message } } }',
        {
          input: {
            targets: [{ accountId: account.id, scheduledAt }],
            post: { type: 'VIDEO', media },
            mode: 'SCHEDULE',
            dryRun,
          },
        },
      );
      expect(created.data.createPosts.userErrors).toMatchObject([
        { code: 'RULE_VIOLATION', message: expect.stringContaining(message) },
      ]);
    }
    const response = await gateway.v1('POST', '/posts/schedule?dry_run=true', {
      body: {
        bulk: {
          state: 'scheduled',
          posts: [
            {
              networks: { bluesky: { type: 'video', media } },
              accounts: [{ id: account.id, scheduled_at: scheduledAt }],
            },
          ],
        },
      },
    });
    expect(JSON.stringify(response.body)).toContain(message);
    expect(await gateway.db.prisma.post.count()).toBe(0);
  });

  it('takes a picture that decoders warn about, as cameras write them', async () => {
    const picture = await aPicture('jpeg');
    const table = picture.indexOf(Buffer.from([0xff, 0xc4]));
    const parts = [picture.subarray(0, table), Buffer.from([1, 2, 3]), picture.subarray(table)];
    const { status, body } = await upload(aForm(Buffer.concat(parts), { name: 'camera.jpg' }));
    expect([status, body.width, body.height]).toEqual([200, 600, 300]);
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
    const video = aVideo(10_000);
    const { body } = await upload(aForm(video));
    expect(body).toMatchObject({ type: 'video', thumbnail: null, width: 640, height: 480 });
    const get = (headers: Record<string, string>, method = 'GET') =>
      fetch(body.path as string, { headers, method });
    const part = await get({ Range: 'bytes=4-11' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 4-11/10000']);
    expect(await part.text()).toBe('ftypisom');
    expect((await get({ Range: 'bytes=10000-' })).status).toBe(416);
    const head = await get({}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10000']);
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
    ...(['mp4', 'webm', 'avi'] as const).map(
      (format) =>
        [
          `${format} with sound only`,
          () => aForm(VIDEO_FILES[format]({ kinds: ['sound'] })),
          422,
          /^file has sound but no picture/,
        ] as const,
    ),
    [
      'an MP4 file that is not complete',
      () => aForm(VIDEO_FILES.mp4().subarray(0, 2_000)),
      422,
      /^file is damaged or not complete/,
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
