import sharp from 'sharp';
import { PICTURE_PROGRAM } from '../../../src/config/package-paths.js';
import { createPictureConverter } from '../../../src/media/picture-converter.js';
import { createPictureProcesses } from '../../../src/media/picture-processes.js';
import { createBluesky } from '../../../src/networks/bluesky/bluesky.js';
import { createHttpClient } from '../../../src/networks/http-client/http-client.js';
import { bytesStream } from '../../../src/networks/http-client/upload-body.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { aPicture } from '../../fixtures/media-files.js';
import { anAttachment, aPost } from '../../fixtures/posts.js';
import { blueskyCase } from '../stand-ins/bluesky.js';
import { aService, BLOB, startBluesky } from '../stand-ins/bluesky-server.js';
import { NOW } from '../stand-ins/network-case.js';

/** Publishes a post whose stored file has this content. Returns its record, and what was uploaded. */
async function publish(post: Partial<Post>, file: { type: string; bytes: Buffer } | null) {
  const service = { ...aService(), uploads: [] as Buffer[] };
  const standIn = await startBluesky(service);
  const adapter = createBluesky(
    createHttpClient({
      allowLoopback: true,
      clock: { now: () => NOW },
      convertPicture: createPictureConverter(createPictureProcesses(PICTURE_PROGRAM)),
      storedMedia: async () =>
        file && bytesStream({ type: file.type, bytes: new Uint8Array(file.bytes) }),
    }),
  );
  const account = { ...aPost().account!, network: 'bluesky' as const };
  const target = {
    account,
    credentials: blueskyCase.credentials(standIn.url),
    post: aPost({ network: 'bluesky', account, scheduledAt: NOW, ...post }),
  };
  const prepared = await adapter.publisher!.prepare(target);
  if (prepared.kind !== 'prepared') throw new Error(JSON.stringify(prepared));
  await adapter.publisher!.publish({ ...target, handle: prepared.handle, sentAt: NOW });
  await standIn.close();
  expect(standIn.violations).toEqual([]);
  return { embed: [...service.records.values()][0]!.embed, uploads: service.uploads };
}

const media = (type: 'photo' | 'gif' | 'video') => [
  anAttachment({ type, url: 'https://files.example/a', altText: 'Beans' }),
];
/** A picture that no compression makes small. */
async function noise(side: number): Promise<Buffer> {
  const noisy = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const create = {
    width: side,
    height: side,
    channels: 3,
    background: '#000',
    noise: noisy,
  } as const;
  return sharp({ create }).png().toBuffer();
}

it('sends a small picture as it is, with its size', async () => {
  const bytes = await aPicture('png', { width: 60, height: 30 });
  const { embed, uploads } = await publish(
    { type: 'photo', media: media('photo') },
    { type: 'image/png', bytes },
  );
  expect(embed.images).toEqual([
    { image: BLOB, alt: 'Beans', aspectRatio: { width: 60, height: 30 } },
  ]);
  expect(uploads).toEqual([bytes]);
});

it('makes a picture of more than 2,000,000 bytes smaller', async () => {
  const bytes = await noise(1_400);
  expect(bytes.length).toBeGreaterThan(2_000_000);
  const { embed, uploads } = await publish(
    { type: 'photo', media: media('photo') },
    { type: 'image/png', bytes },
  );
  const [sent] = uploads;
  expect(sent!.length).toBeLessThanOrEqual(2_000_000);
  const { format, width, height } = await sharp(sent).metadata();
  expect(format).toBe('jpeg');
  expect(embed.images[0].aspectRatio).toEqual({ width, height });
});

it('sends the first frame of an animation', async () => {
  const { uploads } = await publish(
    { type: 'gif', media: media('gif') },
    { type: 'image/gif', bytes: await aPicture('gif') },
  );
  expect((await sharp(uploads[0]).metadata()).format).toBe('jpeg');
});

it('sends a video', async () => {
  const bytes = Buffer.from('video');
  const { embed, uploads } = await publish(
    { type: 'video', media: media('video') },
    { type: 'video/mp4', bytes },
  );
  expect(embed).toEqual({ $type: 'app.bsky.embed.video', video: BLOB, alt: 'Beans' });
  expect(uploads).toEqual([bytes]);
});

it('shows a picture on the card of a link', async () => {
  const { embed } = await publish(
    { type: 'link', url: 'https://kiosk.example/a', media: media('photo') },
    { type: 'image/png', bytes: await aPicture('png') },
  );
  expect(embed.external).toMatchObject({ uri: 'https://kiosk.example/a', thumb: BLOB });
});

it('publishes a link whose picture cannot be read', async () => {
  const { embed, uploads } = await publish(
    {
      type: 'link',
      url: 'https://kiosk.example/a',
      link: { defaultImage: 'https://127.0.0.1:1/none.png' },
    },
    null,
  );
  expect(embed.external).toEqual({
    uri: 'https://kiosk.example/a',
    title: 'https://kiosk.example/a',
    description: '',
  });
  expect(uploads).toEqual([]);
});
