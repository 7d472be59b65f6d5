import type { AddressedFile } from '../../../src/persistence/media/media-file-store.js';
import type { FileStorage } from '../../../src/services/media/file-storage.js';
import { createStoredMediaFinder } from '../../../src/services/media/read-stored-media.js';

const FILE: AddressedFile = {
  token: 'token',
  storageKey: 'ab/abc',
  content: { contentType: 'image/png', bytes: 5, size: { width: 1, height: 1 } },
  hasThumbnail: false,
  title: null,
};

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function text(content: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** A reader of one file, and the keys that were opened. */
function aReader(file: AddressedFile | null, open: FileStorage['open']) {
  const opened: string[] = [];
  const read = createStoredMediaFinder({
    files: { findStored: async () => file },
    storage: {
      open: (key) => {
        opened.push(key);
        return open(key);
      },
    },
  });
  return { read, opened };
}

it('finds a file with its type and size, and reads it as a stream', async () => {
  const { read, opened } = aReader(FILE, async () => chunks('he', 'llo'));
  const file = (await read('med_1'))!;
  expect([file.type, file.size, opened]).toEqual(['image/png', 5, []]);
  expect(await text(await file.open())).toBe('hello');
  expect(opened).toEqual(['ab/abc']);
});

it('returns null for a media item on another server', async () => {
  const { read, opened } = aReader(null, async () => chunks());
  expect(await read('med_1')).toBeNull();
  expect(opened).toEqual([]);
});

it('fails if the file is missing in the storage', async () => {
  const { read } = aReader(FILE, async () => null);
  await expect((await read('med_1'))!.open()).rejects.toThrow('med_1 is missing');
});
