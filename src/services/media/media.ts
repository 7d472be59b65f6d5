import type { Viewer, Workspace } from '../../domain/access/viewer.js';
import type { Refusal } from '../../domain/errors.js';
import {
  MEDIA_FILE_LIMITS,
  mediaPath,
  presentBytes,
  type MediaFile,
} from '../../domain/media/media-file.js';
import { toMediaUsage, type MediaUsage } from '../../domain/media/media-quota.js';
import { mediaTypeOf } from '../../domain/posts/post-content.js';
import { RefusedFileError } from './accept-file.js';
import { completeFile } from './complete-file.js';
import {
  additionRefusal,
  hashOf,
  keptMedia,
  newToken,
  originOf,
  receiveFile,
  withFile,
  type MediaDependencies,
  type UploadOutcome,
  uploadMedia,
  type ReadUpload,
} from './upload-media.js';
import { isPrefixedId } from '../../domain/posts/post.js';
import { createChangeRunner } from '../changes/run-change.js';
import type { IdempotencyStore } from '../../persistence/changes/idempotency-store.js';
import {
  importMedia,
  importStoreOf,
  type ImportMediaDependencies,
  type ImportMediaOutcome,
  type ImportMediaRequest,
} from './import-media.js';
import { refuseExcess } from './media-quota.js';
import { createMediaChanges, type MediaChanges } from './change-media.js';
import type { MediaStore } from '../../persistence/media/media-store.js';
import { findServedFile, type FileVariant, type ServedFile } from './serve-media.js';

/** How long the address of an upload can be used. */
const UPLOAD_MS = 3_600_000;

/** A file that the client is going to send. */
export interface ExpectedFile {
  readonly name: string;
  readonly bytes: number;
  readonly altText: string | null;
  readonly inLibrary: boolean;
}

/** The address to send the file to, or why there is none. */
export type UploadAddress =
  | {
      readonly kind: 'created';
      readonly mediaId: string;
      readonly url: string;
      readonly expiresAt: Date;
    }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

function sizeRefusal(bytes: number): Refusal | null {
  if (bytes >= 1 && bytes <= MEDIA_FILE_LIMITS.bytes) return null;
  return {
    code: 'RULE_VIOLATION',
    message: `bytes must be 1 to ${MEDIA_FILE_LIMITS.bytes} (${presentBytes(MEDIA_FILE_LIMITS.bytes)}), got ${bytes}.`,
    path: ['bytes'],
    rule: 'D63',
  };
}

/** Creates a media item that waits for its file, and the one-time address of the file (D63). */
async function createUpload(
  dependencies: MediaDependencies,
  viewer: Viewer,
  { name, bytes, altText, inLibrary }: ExpectedFile,
): Promise<UploadAddress> {
  const refusal = additionRefusal(viewer) ?? sizeRefusal(bytes);
  if (refusal) return { kind: 'refused', refusals: [refusal] };
  const { clock, baseUrl, files } = dependencies;
  // The content determines the type once it has arrived.
  const type = mediaTypeOf(name);
  const { media, token } = keptMedia(dependencies, { type, title: name, altText, inLibrary });
  const uploadToken = newToken();
  const expiresAt = new Date(clock.now().getTime() + UPLOAD_MS);
  const excess = await files.createUpload(originOf(dependencies, viewer), {
    media,
    token,
    bytes,
    uploadTokenHash: hashOf(uploadToken),
    expiresAt,
  });
  if (excess) {
    const path = excess.amount === 'bytes' ? ['bytes'] : [];
    return { kind: 'refused', refusals: [refuseExcess(dependencies, excess, path)] };
  }
  const url = `${baseUrl()}${mediaPath(media.id, uploadToken)}`;
  return { kind: 'created', mediaId: media.id, url, expiresAt };
}

/**
 * The content, as long as it is as large as the upload that was created. @throws RefusedFileError
 */
async function* ofSize(
  content: AsyncIterable<Uint8Array>,
  expected: number,
): AsyncGenerator<Uint8Array> {
  const size = `the ${expected} bytes with which the upload was created`;
  let received = 0;
  for await (const chunk of content) {
    received += chunk.length;
    if (received > expected) throw new RefusedFileError(`has more than ${size}`);
    yield chunk;
  }
  if (received < expected) throw new RefusedFileError(`has ${received} bytes, not ${size}`);
}

/**
 * Receives the file of an upload at its one-time address. After a refusal, the address can be used
 * again until it expires.
 * @returns null if the address is unknown, expired or was used
 * @throws GatewayError PAYLOAD_TOO_LARGE; or the error of the content
 */
async function receiveUpload(
  dependencies: MediaDependencies,
  { id, token }: { readonly id: string; readonly token: string },
  content: AsyncIterable<Uint8Array>,
): Promise<UploadOutcome | null> {
  const { files, clock } = dependencies;
  const media = await files.findUpload(id, hashOf(token), clock.now());
  if (!media) return null;
  let wasUsed = false;
  const outcome = await receiveFile(dependencies, {
    workspaceId: media.workspaceId,
    read: async (receive) => ({ file: await receive(ofSize(content, media.expectedBytes)) }),
    async save(_read, accepted) {
      // Another request may have sent the file meanwhile.
      wasUsed = !(await completeFile(dependencies, id, accepted));
      return { kind: 'created', media: withFile({ ...media, type: accepted.type }, accepted) };
    },
  });
  return wasUsed ? null : outcome;
}

/** A workspace whose media are measured. */
type MeasuredWorkspace = Pick<Workspace, 'id' | 'plan'>;

/** Media whose files the service keeps. */
export interface MediaLibrary extends MediaChanges {
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
  /** What the media of workspaces take up, with their quotas. */
  usageOf<W extends MeasuredWorkspace>(
    workspaces: readonly W[],
  ): Promise<ReadonlyMap<W, MediaUsage>>;
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
  media,
  ...given
}: Omit<ImportMediaDependencies, 'runner'> & {
  readonly idempotency: IdempotencyStore;
  readonly media: MediaStore;
}): MediaLibrary {
  const runner = createChangeRunner({ store: importStoreOf(given.files), idempotency });
  const dependencies = { ...given, runner };
  return {
    ...createMediaChanges({ media, clock: given.clock }),
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
    async usageOf(workspaces) {
      const { files, quotas, clock } = dependencies;
      const amounts = await files.amountsOf(
        workspaces.map(({ id }) => id),
        clock.now(),
      );
      return new Map(
        workspaces.map((workspace) => [
          workspace,
          toMediaUsage(amounts.get(workspace.id)!, quotas[workspace.plan]),
        ]),
      );
    },
    find: async (address) =>
      isPrefixedId('med', address.id) ? findServedFile(dependencies, address) : null,
  };
}
