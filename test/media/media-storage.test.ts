import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { FileTooLargeError, UnreadableFileError } from '../../src/domain/media/media-file.js';
import { createFolderStorage } from '../../src/media/folder-storage.js';
import { createIncomingFiles } from '../../src/media/incoming-files.js';
import { PICTURE_PROGRAM } from '../../src/config/package-paths.js';
import { createPictureReader } from '../../src/media/picture-reader.js';
import { createPictureProcesses } from '../../src/media/picture-processes.js';
import { inSlices } from '../../src/services/long-work.js';
import { aPicture } from '../fixtures/media-files.js';

const processes = createPictureProcesses(PICTURE_PROGRAM);
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
    return createPictureReader({ keepsMetadata: false, processes, inSlices }).read(file, 'wks_1');
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
    await expect(read(bomb)).rejects.toThrow(UnreadableFileError);
    const large = await aPicture('png', { width: 10_000, height: 6_000 });
    await expect(read(large)).rejects.toThrow(
      'has 10000 × 6000 pixels; a picture may have at most 50 million',
    );
  });

  /** Where a file of each format has its width and height, which nothing checks. */
  const RESIZE: Readonly<Record<string, (file: Buffer, width: number, height: number) => void>> = {
    jpeg(file, width, height) {
      const at = file.indexOf(Buffer.of(0xff, 0xc2));
      file.writeUInt16BE(height, at + 5);
      file.writeUInt16BE(width, at + 7);
    },
    png(file, width, height) {
      file.writeUInt32BE(width, 16);
      file.writeUInt32BE(height, 20);
    },
    webp(file, width, height) {
      file.writeUInt16LE(width, 26);
      file.writeUInt16LE(height, 28);
    },
  };

  it.each([
    ['jpeg', '274.7 MB'],
    ['png', '183.1 MB'],
    ['webp', '183.1 MB'],
  ] as const)('are refused by the memory that decoding takes: %s', async (format, memory) => {
    const picture = await sharp(await aPicture())
      .toFormat(format, { progressive: true })
      .toBuffer();
    RESIZE[format]!(picture, 8_000, 6_000);
    await expect(read(picture)).rejects.toThrow(
      `takes ${memory} of memory to decode; a picture may take at most 160 MB.`,
    );
  });

  it('of a workspace are read one after another, and those of others meanwhile', async () => {
    const large = await aPicture('png', { width: 6_000, height: 6_000 });
    const small = await aPicture('png');
    const started: string[] = [];
    const pictures = createPictureReader({
      keepsMetadata: false,
      processes: {
        makeThumbnail(file) {
          started.push(path.basename(file));
          return processes.makeThumbnail(file);
        },
      },
      inSlices,
    });
    const readFor = async (workspaceId: string, name: string, content: Buffer): Promise<void> => {
      const file = path.join(folder, name);
      await writeFile(file, content);
      await pictures.read(file, workspaceId);
    };
    const ofA = ['a1', 'a2', 'a3'].map((name) => readFor('wks_a', name, large));
    await Promise.all([...ofA, readFor('wks_b', 'b', small)]);
    expect(started.toSorted()).toEqual(['a1', 'a2', 'a3', 'b']);
    expect(started.indexOf('b')).toBeLessThan(2);
  });

  it('do not end this process with the one that decodes them', async () => {
    const program = path.join(folder, 'crash.mjs');
    await writeFile(
      program,
      "process.on('message', () => process.kill(process.pid, 'SIGSEGV')); process.send('ready');",
    );
    const crashing = createPictureProcesses(program);
    for (let picture = 0; picture < 2; picture += 1)
      await expect(crashing.makeThumbnail('picture')).rejects.toThrow(
        'is damaged: it cannot be decoded',
      );
    await expect(crashing.makeSmaller(new Uint8Array(1), 1)).rejects.toThrow('is damaged');
    await expect(
      createPictureProcesses(path.join(folder, 'missing.mjs')).makeThumbnail('picture'),
    ).rejects.toThrow('missing.mjs ended with 1');
  });

  it('are refused if they are damaged', async () => {
    const picture = await aPicture('png', { width: 500, height: 500 });
    await expect(read(picture.subarray(0, picture.length / 2))).rejects.toThrow(
      'is damaged: it cannot be decoded',
    );
    await expect(read(Buffer.from('GIF89a'))).rejects.toThrow('is damaged');
  });
});
