import type { Viewer } from '../../domain/access/viewer.js';
import type { MediaFile } from '../../domain/media/media-file.js';
import { isPrefixedId } from '../../domain/posts/post-id.js';
import { findServedFile, type FileVariant, type ServedFile } from './serve-media.js';
import {
  uploadMedia,
  type MediaDependencies,
  type ReadUpload,
  type UploadOutcome,
} from './upload-media.js';

/** Media whose files the service keeps. */
export interface MediaLibrary {
  /**
   * Creates a media item with the file of a request.
   * @throws GatewayError PAYLOAD_TOO_LARGE, or what `read` throws
   */
  upload(viewer: Viewer, read: ReadUpload): Promise<UploadOutcome>;
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
export const createMediaLibrary = (dependencies: MediaDependencies): MediaLibrary => ({
  upload: (viewer, read) => uploadMedia(dependencies, viewer, read),
  filesById: (workspaceId, ids) =>
    dependencies.files.byIds(
      workspaceId,
      ids.filter((id) => isPrefixedId('med', id)),
    ),
  find: async (address) =>
    isPrefixedId('med', address.id) ? findServedFile(dependencies, address) : null,
});
