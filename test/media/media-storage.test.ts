import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { FileTooLargeError, UnreadablePictureError } from '../../src/domain/media/media-file.js';
import { createFolderStorage } from '../../src/media/folder-storage.js';
import { createIncomingFiles } from '../../src/media/incoming-files.js';
import { createPictureReader } from '../../src/media/picture-reader.js';
import { aPicture } from '../fixtures/media-files.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'media-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of texts) yield Buffer.from(chunk);
}
const open = () => ({
  incoming: createIncomingFiles(path.join(folder, 'incoming')),
  storage: createFolderStorage(path.join(folder, 'files')),
});
const left = async (): Promise<string[]> => readdir(path.join(folder, 'incoming'));

it('receives a file and moves it to the folder', async () => {
  const { incoming, storage } = open();
  const file = await incoming.receive(chunks('Hello, ', 'world'), 12);
  expect(file).toMatchObject({
    bytes: 12,
    sha256: createHash('sha256').update('Hello, world').digest('hex'),
  });
  expect(Buffer.from(file.head).toString()).toBe('Hello, world');
  expect(Buffer.from(file.tail).toString()).toBe('Hello, world');
  await storage.store('ab/abc', file, 'text/plain');
  expect(await left()).toEqual([]);
  expect(await text((await storage.open('ab/abc'))!)).toBe('Hello, world');
  expect(await text((await storage.open('ab/abc', { first: 7, last: 9 }))!)).toBe('wor');
  await incoming.discard(file); // it was moved
  await storage.delete('ab/abc');
  await storage.delete('ab/abc');
  expect(await storage.open('ab/abc')).toBeNull();
});

it('leaves nothing of a file that is too large or breaks off', async () => {
  const { incoming } = open();
  await expect(incoming.receive(chunks('Hello, ', 'world'), 11)).rejects.toThrow(FileTooLargeError);
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('Hello');
    throw new Error('cut off');
  }
  await expect(incoming.receive(broken(), 100)).rejects.toThrow('cut off');
  expect(await left()).toEqual([]);
});

it('discards what killed processes have left', async () => {
  const { incoming } = open();
  await incoming.discardOlderThan(new Date()); // there is no folder yet
  await incoming.receive(chunks('new'), 100);
  const old = path.join(folder, 'incoming', 'old');
  await writeFile(old, 'old');
  await utimes(old, 1_000, 1_000);
  await incoming.discardOlderThan(new Date(2_000_000));
  expect(await left()).toHaveLength(1);
  expect(await left()).not.toContain('old');
});

describe('pictures', () => {
  const read = async (content: Buffer) => {
    const file = path.join(folder, 'picture');
    await writeFile(file, content);
    return createPictureReader().read(file);
  };

  it.each(['jpeg', 'png', 'webp', 'gif'] as const)(
    '%s have a size and a thumbnail',
    async (format) => {
      const { size, thumbnail } = await read(await aPicture(format, { width: 800, height: 600 }));
      expect(size).toEqual({ width: 800, height: 600 });
      expect(await read(Buffer.from(thumbnail))).toMatchObject({
        size: { width: 400, height: 300 },
      });
    },
  );

  it('are refused by their pixels before they are decoded', async () => {
    // 10 GB of pixels in less than 100 KB
    const bomb = await aPicture('png', { width: 16, height: 16 });
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    await expect(read(bomb)).rejects.toThrow(UnreadablePictureError);
    const large = await aPicture('png', { width: 10_000, height: 6_000 });
    await expect(read(large)).rejects.toThrow(
      'has 10000 × 6000 pixels; a picture may have at most 50 million',
    );
  });

  it('are refused if they are damaged', async () => {
    const picture = await aPicture('png', { width: 500, height: 500 });
    await expect(read(picture.subarray(0, picture.length / 2))).rejects.toThrow(
      'is damaged: it cannot be decoded',
    );
    await expect(read(Buffer.from('GIF89a'))).rejects.toThrow('is damaged');
  });
});
