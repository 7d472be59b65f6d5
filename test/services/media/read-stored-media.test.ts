import { FileTooLargeError } from '../../../src/domain/media/media-file.js';
import type { AddressedFile } from '../../../src/persistence/media/media-file-store.js';
import type { FileStorage } from '../../../src/services/media/file-storage.js';
import { createStoredMediaReader } from '../../../src/services/media/read-stored-media.js';

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

/** A reader of one file, and the keys that were opened. */
function aReader(file: AddressedFile | null, open: FileStorage['open']) {
  const opened: string[] = [];
  const read = createStoredMediaReader({
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

it('reads the whole file with its type', async () => {
  const { read, opened } = aReader(FILE, async () => chunks('he', 'llo'));
  const bytes = new Uint8Array(Buffer.from('hello'));
  expect(await read('med_1', 5)).toEqual({ type: 'image/png', bytes });
  expect(opened).toEqual(['ab/abc']);
});

it('returns null for a media item on another server', async () => {
  const { read, opened } = aReader(null, async () => chunks());
  expect(await read('med_1', 5)).toBeNull();
  expect(opened).toEqual([]);
});

it('does not open a file that is too large', async () => {
  const { read, opened } = aReader(FILE, async () => chunks('hello'));
  await expect(read('med_1', 4)).rejects.toThrow(FileTooLargeError);
  expect(opened).toEqual([]);
});

it('fails if the file is missing in the storage', async () => {
  const { read } = aReader(FILE, async () => null);
  await expect(read('med_1', 5)).rejects.toThrow('med_1 is missing');
});
