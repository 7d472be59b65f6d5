import { contentTypeOf, MEDIA_FORMAT_NAMES } from '../../domain/media/media-content.js';
import { FetchFailedError } from '../../domain/media/media-errors.js';
import { MEDIA_FILE_LIMITS } from '../../domain/media/media-file.js';
import type {
  FileStorage,
  IncomingFiles,
  MediaBytes,
  MediaFileStore,
  MediaReader,
  MediaSource,
} from './media-ports.js';

interface MediaReaderDependencies {
  readonly files: Pick<MediaFileStore, 'findStored' | 'statusOf'>;
  readonly storage: FileStorage;
  readonly incoming: IncomingFiles;
  readonly source: MediaSource;
}

/** Fetches a file completely, before any byte is sent to a network. It is deleted once it is read. */
async function fetchBytes(
  { incoming, source }: MediaReaderDependencies,
  url: string,
): Promise<MediaBytes> {
  const problem = source.problemOf(url);
  if (problem !== null) throw new FetchFailedError(`${url} ${problem}.`, false);
  const { content } = await source.open(url);
  const file = await incoming.receive(content, MEDIA_FILE_LIMITS.bytes);
  const contentType = contentTypeOf(file);
  if (contentType === null) {
    await incoming.discard(file);
    throw new FetchFailedError(
      `The file at ${url} has none of the accepted formats: ${MEDIA_FORMAT_NAMES}.`,
      false,
    );
  }
  async function* readOnce(): AsyncGenerator<Uint8Array> {
    try {
      yield* incoming.open(file);
    } finally {
      await incoming.discard(file);
    }
  }
  return { content: readOnce(), contentType, bytes: file.bytes };
}

/** Reads the bytes of media for networks (D63). */
export const createMediaReader = (dependencies: MediaReaderDependencies): MediaReader => ({
  async open({ id, url }) {
    const { files, storage } = dependencies;
    const stored = await files.findStored(id);
    if (stored) {
      const content = await storage.open(stored.storageKey);
      if (content === null)
        throw new FetchFailedError('The file is missing in the media storage.', false);
      const { contentType, bytes } = stored.content;
      return { content, contentType, bytes };
    }
    if ((await files.statusOf(id)) !== null)
      throw new FetchFailedError('The file has not arrived yet.', true);
    return fetchBytes(dependencies, url);
  },
});
