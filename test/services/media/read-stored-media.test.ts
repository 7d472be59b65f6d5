import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { PICTURE_PROGRAM } from '../../../src/config/package-paths.js';
import { createFolderStorage } from '../../../src/media/folder-storage.js';
import { createIncomingFiles } from '../../../src/media/incoming-files.js';
import { createPictureConverter } from '../../../src/media/picture-converter.js';
import { createPictureProcesses } from '../../../src/media/picture-processes.js';
import type { AddressedFile } from '../../../src/persistence/media/media-file-store.js';
import { chunksOf } from '../../../src/services/media/accept-file.js';
import { createStoredMediaFinder } from '../../../src/services/media/read-stored-media.js';

const FILE: AddressedFile = {
  token: 'token',
  storageKey: 'ab/abc',
  content: { contentType: 'image/png', bytes: 5, size: { width: 1, height: 1 }, video: null },
  hasThumbnail: false,
  title: null,
};
const MEDIA = { id: 'med_1', url: 'https://gateway.example/media/med_1/token' };
const CONVERTED = { ...MEDIA, url: `${MEDIA.url}/jpeg` };

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'stored-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts);
}

/** A reader of a file with this content; without, it is missing in the storage. */
async function aReader(file: AddressedFile | null, content?: Buffer) {
  const incoming = createIncomingFiles(path.join(folder, 'incoming'));
  const storage = createFolderStorage(path.join(folder, 'files'));
  if (content)
    await storage.store(
      FILE.storageKey,
      await incoming.receive(chunksOf([content]), Infinity),
      'image/png',
    );
  const convert = createPictureConverter(createPictureProcesses(PICTURE_PROGRAM));
  let conversions = 0;
  const read = createStoredMediaFinder({
    files: { findStored: async () => file },
    incoming,
    storage,
    convertPicture: (...picture) => {
      conversions += 1;
      return convert(...picture);
    },
  });
  return {
    read,
    conversions: () => conversions,
    kept: () => readdir(path.join(folder, 'files/ab')),
  };
}

it('finds a file with its type and size, and reads it as a stream', async () => {
  const { read } = await aReader(FILE, Buffer.from('hello'));
  const file = (await read(MEDIA))!;
  expect([file.type, file.size]).toEqual(['image/png', 5]);
  expect((await bytesOf(await file.open())).toString()).toBe('hello');
  expect((await bytesOf(await file.open({ first: 1, last: 2 }))).toString()).toBe('el');
});

it('returns null for a media item on another server', async () => {
  const { read } = await aReader(null);
  expect(await read(MEDIA)).toBeNull();
  expect(await read(CONVERTED)).toBeNull();
});

it('fails if the file is missing in the storage', async () => {
  const { read } = await aReader(FILE);
  await expect((await read(MEDIA))!.open()).rejects.toThrow('med_1 is missing');
  await expect(read(CONVERTED)).rejects.toThrow('is missing or cannot be converted');
});

it('makes a converted picture once, on white, and keeps it with the file', async () => {
  const png = await sharp({
    create: { width: 300, height: 200, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer();
  const { read, conversions, kept } = await aReader(FILE, png);
  const first = (await read(CONVERTED))!;
  const content = await bytesOf(await first.open());
  expect([first.type, first.size]).toEqual(['image/jpeg', content.length]);
  const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, data[0]]).toEqual([300, 200, 255]);
  const second = (await read(CONVERTED))!;
  expect(await bytesOf(await second.open())).toEqual(content);
  expect(await bytesOf(await second.open({ first: 2, last: 5 }))).toEqual(content.subarray(2, 6));
  expect(conversions()).toBe(1);
  expect(await kept()).toEqual(['abc', 'abc.jpeg']);
});

it('makes the same picture again if it is lost', async () => {
  const noise = await sharp({
    create: {
      width: 400,
      height: 400,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  const { read } = await aReader(FILE, noise);
  const made = await bytesOf(await (await read(CONVERTED))!.open());
  await rm(path.join(folder, 'files/ab/abc.jpeg'));
  expect(await bytesOf(await (await read(CONVERTED))!.open())).toEqual(made);
});
