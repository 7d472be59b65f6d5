import type { Viewer } from '../../domain/access/viewer.js';
import type { MediaFile } from '../../domain/media/media-file.js';
import { isPrefixedId } from '../../domain/posts/post-id.js';
import { createChangeRunner } from '../changes/run-change.js';
import type { IdempotencyStore } from '../../persistence/changes/idempotency-store.js';
import {
  createUpload,
  receiveUpload,
  type ExpectedFile,
  type UploadAddress,
} from './create-upload.js';
import {
  importMedia,
  importStoreOf,
  type ImportMediaDependencies,
  type ImportMediaOutcome,
  type ImportMediaRequest,
} from './import-media.js';
import { findServedFile, type FileVariant, type ServedFile } from './serve-media.js';
import { uploadMedia, type ReadUpload, type UploadOutcome } from './upload-media.js';

/** Media whose files the service keeps. */
export interface MediaLibrary {
  /**
   * Creates a media item with the file of a request.
   * @throws GatewayError PAYLOAD_TOO_LARGE, or what `read` throws
   */
  upload(viewer: Viewer, read: ReadUpload): Promise<UploadOutcome>;
  /** Creates a media item that waits for its file, and the one-time address of the file. */
  createUpload(viewer: Viewer, file: ExpectedFile): Promise<UploadAddress>;
  /**
   * Receives the file of an upload at its one-time address; null if the address is unknown, expired
   * or was used.
   * @throws GatewayError PAYLOAD_TOO_LARGE, or the error of the content
   */
  receive(
    address: { readonly id: string; readonly token: string },
    content: AsyncIterable<Uint8Array>,
  ): Promise<UploadOutcome | null>;
  /**
   * Creates media whose files a job fetches, once per idempotency key.
   * @throws GatewayError IDEMPOTENCY_IN_FLIGHT
   */
  import(viewer: Viewer, request: ImportMediaRequest): Promise<ImportMediaOutcome>;
  /** Files by media ID, of one workspace; absent if the file is on another server. */
  filesById(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, MediaFile>>;
  /** The file at an address; null if there is none, or the token is wrong. */
  find(address: {
    readonly id: string;
    readonly token: string;
    readonly variant: FileVariant;
  }): Promise<ServedFile | null>;
}

/** Creates the use cases of media. */
export function createMediaLibrary({
  idempotency,
  ...given
}: Omit<ImportMediaDependencies, 'runner'> & {
  readonly idempotency: IdempotencyStore;
}): MediaLibrary {
  const runner = createChangeRunner({ store: importStoreOf(given.files), idempotency });
  const dependencies = { ...given, runner };
  return {
    upload: (viewer, read) => uploadMedia(dependencies, viewer, read),
    createUpload: (viewer, file) => createUpload(dependencies, viewer, file),
    receive: async (address, content) =>
      isPrefixedId('med', address.id) ? receiveUpload(dependencies, address, content) : null,
    import: (viewer, request) => importMedia(dependencies, viewer, request),
    filesById: (workspaceId, ids) =>
      dependencies.files.byIds(
        workspaceId,
        ids.filter((id) => isPrefixedId('med', id)),
      ),
    find: async (address) =>
      isPrefixedId('med', address.id) ? findServedFile(dependencies, address) : null,
  };
}
