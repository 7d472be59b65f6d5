import { text } from 'node:stream/consumers';
import { createMediaFileStore } from '../../../src/persistence/media/media-file-store.js';
import { createPurgeStore } from '../../../src/persistence/jobs/purge-store.js';
import { createUnusedFiles } from '../../../src/services/jobs/purge.js';
import { convertedKey } from '../../../src/services/media/accept-file.js';
import { uploadMedia } from '../../../src/services/media/upload-media.js';
import { mediaFilesOn } from '../../fixtures/media-library.js';
import { aPdf } from '../../fixtures/media-files.js';
import { NOW, withServices } from '../../fixtures/services.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const services = withServices();
const files = forAllTests(() => mediaFilesOn(services.database, services.clock));

async function* content(): AsyncGenerator<Uint8Array> {
  yield aPdf();
}
const DAY = 86_400_000;
const inDays = (days: number): Date => new Date(NOW.getTime() + days * DAY);

/** Uploads a file as the viewer. */
async function anUpload(viewer: Awaited<ReturnType<typeof services.aViewer>>, inLibrary = false) {
  const outcome = await uploadMedia(
    { ...files, ids: services.ids, baseUrl: services.database.mediaBaseUrl },
    viewer,
    async (receive) => ({ file: await receive(content()), name: 'a', altText: null, inLibrary }),
  );
  if (outcome.kind === 'refused') throw new Error(outcome.refusals[0]!.message);
  return outcome.media;
}
const stored = async (id: string) => createMediaFileStore(services.database).findStored(id);
/** Whether a file is in the storage. */
async function isStored(key: string): Promise<boolean> {
  const found = await files.storage.open(key);
  if (found) await text(found);
  return found !== null;
}

describe('the purge of media (D63)', () => {
  it('deletes what no post uses and is not in the library after 30 days, with its file', async () => {
    const viewer = await services.aViewer();
    const [unused, inLibrary, used] = [
      await anUpload(viewer),
      await anUpload(viewer, true),
      await anUpload(viewer),
    ];
    const post = await services.aPost({ by: viewer });
    await services.sql(
      `INSERT INTO post_media (post_id, position, media_id) VALUES ($1, 0, $2)`,
      post.databaseId,
      used.id,
    );
    const purge = createPurgeStore(services.database);
    expect(await purge.unusedMedia(NOW, 10)).toBe(0);
    const { storageKey } = (await stored(unused.id))!;
    expect(await purge.unusedMedia(inDays(1), 10)).toBe(1);
    expect(await stored(unused.id)).toBeNull();
    expect([await stored(inLibrary.id), await stored(used.id)]).not.toContain(null);
    const converted = await files.incoming.receive(content(), Infinity);
    await files.storage.store(convertedKey(storageKey), converted, 'image/jpeg');
    const unusedFiles = createUnusedFiles(files);
    expect(await unusedFiles.remove(new Date(0), 10)).toBe(0);
    expect(await isStored(storageKey)).toBe(true);
    expect(await unusedFiles.remove(new Date(Date.now() + 1_000), 10)).toBe(1);
    expect(await isStored(storageKey)).toBe(false);
    expect(await isStored(convertedKey(storageKey))).toBe(false);
    expect(await unusedFiles.remove(new Date(Date.now() + 1_000), 10)).toBe(0);
  });

  it('finds the files of a deleted workspace', async () => {
    const viewer = await services.aViewer();
    const { storageKey } = (await stored((await anUpload(viewer, true)).id))!;
    await services.sql('DELETE FROM workspace WHERE id = $1', viewer.workspace.id);
    expect(await files.files.unusedKeys(new Date(Date.now() + 1_000), 10)).toEqual([storageKey]);
    await createUnusedFiles(files).remove(new Date(Date.now() + 1_000), 10);
  });

  it('removes files that were stored for an item that was not saved', async () => {
    const viewer = await services.aViewer();
    const unsaved = {
      ...files,
      files: { ...files.files, create: () => Promise.reject(new Error('killed')) },
    };
    await expect(
      uploadMedia(
        { ...unsaved, ids: services.ids, baseUrl: services.database.mediaBaseUrl },
        viewer,
        async (receive) => ({
          file: await receive(content()),
          name: null,
          altText: null,
          inLibrary: true,
        }),
      ),
    ).rejects.toThrow('killed');
    const [key] = await files.files.unusedKeys(new Date(Date.now() + 1_000), 10);
    expect(await isStored(key!)).toBe(true);
    await createUnusedFiles(files).remove(new Date(Date.now() + 1_000), 10);
    expect(await isStored(key!)).toBe(false);
  });
});
