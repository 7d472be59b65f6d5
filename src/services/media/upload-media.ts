import { createHash, randomBytes } from 'node:crypto';
import { type Viewer, toActor } from '../../domain/access/viewer.js';
import { GatewayError, type Refusal } from '../../domain/errors.js';
import {
  MEDIA_FILE_LIMITS,
  mediaPath,
  presentBytes,
  thumbnailPath,
  type MediaItem,
  FileTooLargeError,
} from '../../domain/media/media-file.js';
import type { MediaOrigin, NewMedia } from '../../persistence/media/media-file-store.js';
import {
  acceptFile,
  RefusedFileError,
  type AcceptedFile,
  type FileAcceptor,
} from './accept-file.js';
import type { FileCompletion } from './complete-file.js';
import type { ReceivedFile } from './file-storage.js';
import { findExcess, refuseExcess, type QuotaDependencies } from './media-quota.js';

/** What creates media. */
export interface MediaDependencies
  extends Omit<FileAcceptor, 'files'>, FileCompletion, Omit<QuotaDependencies, 'files'> {
  /** URL under which clients reach the gateway: the start of the addresses of files. */
  readonly baseUrl: () => string;
}

/** A file and its texts, as a client sends them. */
export interface Upload {
  readonly file: ReceivedFile;
  readonly name: string | null;
  readonly altText: string | null;
  readonly inLibrary: boolean;
}

/**
 * Reads the body of a request, and passes the content of the file on while it arrives.
 * `receive` must be called at most once.
 */
export type ReadUpload = (
  receive: (content: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>,
) => Promise<Upload>;

/** The created item, or why there is none. */
export type UploadOutcome =
  | { readonly kind: 'created'; readonly media: MediaItem }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

/** A random secret of 128 bits, as a part of a URL. */
export const newToken = (): string => randomBytes(16).toString('base64url');
/** The hash under which a one-time token is stored. */
export const hashOf = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');

/** Why the viewer may not add media, or null (D4). */
export const additionRefusal = ({ role }: Viewer): Refusal | null =>
  role === 'viewer'
    ? {
        code: 'FORBIDDEN',
        message: 'Your role in this workspace is viewer. Viewers cannot add media.',
        path: [],
        rule: 'D4',
      }
    : null;

/** Who creates media now. */
export const originOf = (
  { clock, quotas }: Pick<MediaDependencies, 'clock' | 'quotas'>,
  viewer: Viewer,
): MediaOrigin => ({
  workspaceId: viewer.workspace.id,
  actor: toActor(viewer),
  at: clock.now(),
  quota: quotas[viewer.workspace.plan],
});

/** A media item that the service keeps the file of; the token is part of its URL. */
export function keptMedia(
  { ids, baseUrl }: Pick<MediaDependencies, 'ids' | 'baseUrl'>,
  { type, title, altText, inLibrary }: Omit<NewMedia, 'id' | 'url'>,
): { media: NewMedia; token: string } {
  const [id, token] = [ids.prefixed('med'), newToken()];
  return {
    media: { id, type, title, altText, inLibrary, url: `${baseUrl()}${mediaPath(id, token)}` },
    token,
  };
}

/** The item as clients see it, with the file that it has now. */
export const withFile = (
  { id, type, url, altText, title }: Omit<MediaItem, 'file'>,
  { content, hasThumbnail }: Pick<AcceptedFile, 'content' | 'hasThumbnail'>,
): MediaItem => ({
  id,
  type,
  url,
  altText,
  title,
  file: {
    status: 'ready',
    content,
    thumbnailUrl: hasThumbnail ? thumbnailPath(url) : null,
    error: null,
  },
});

/** How a file arrives, and what becomes of it. */
interface Reception<Read> {
  readonly workspaceId: string;
  read(receive: (content: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>): Promise<Read>;
  /** Why the file is refused before it is stored, or null. */
  refusalOf?(file: ReceivedFile): Promise<Refusal | null>;
  save(read: Read, accepted: AcceptedFile): Promise<UploadOutcome>;
}

/**
 * Receives a file, checks and stores it, and passes it to `save`. Nothing is left of a file that is
 * not accepted.
 * @throws GatewayError PAYLOAD_TOO_LARGE; or what `read` or `save` throws
 */
export async function receiveFile<Read extends { readonly file: ReceivedFile }>(
  acceptor: FileAcceptor,
  { workspaceId, read, refusalOf, save }: Reception<Read>,
): Promise<UploadOutcome> {
  let received: ReceivedFile | undefined;
  const receive = async (content: AsyncIterable<Uint8Array>): Promise<ReceivedFile> =>
    (received = await acceptor.incoming.receive(content, MEDIA_FILE_LIMITS.bytes));
  try {
    const body = await read(receive);
    const refusal = await refusalOf?.(body.file);
    if (refusal) return { kind: 'refused', refusals: [refusal] };
    return await save(body, await acceptFile(acceptor, body.file, workspaceId));
  } catch (error) {
    if (error instanceof RefusedFileError) return refusedFile(error);
    if (error instanceof FileTooLargeError) throw tooLarge();
    throw isStorageError(error) ? storageUnavailable(error) : error;
  } finally {
    if (received) await acceptor.incoming.discard(received);
  }
}

const refusedFile = ({ message }: RefusedFileError): UploadOutcome => ({
  kind: 'refused',
  refusals: [{ code: 'RULE_VIOLATION', message: `file ${message}.`, path: ['file'], rule: 'D63' }],
});

/** Codes of a disk that is full or cannot be written; a bucket that fails has one of them, too. */
const STORAGE_CODES = /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM|EIO)$/;
const isStorageError = (error: unknown): boolean =>
  STORAGE_CODES.test((error as { code?: string }).code ?? '');
const storageUnavailable = (cause: unknown): GatewayError =>
  Object.assign(
    new GatewayError('UNAVAILABLE', 'The media storage is full or cannot be written.'),
    { cause },
  );

/** The error of a file that is larger than the service takes. */
export const tooLarge = (): GatewayError =>
  new GatewayError(
    'PAYLOAD_TOO_LARGE',
    `file may have at most ${presentBytes(MEDIA_FILE_LIMITS.bytes)}.`,
  );

/**
 * Creates a media item with the file of a request (D63). A workspace without room for a byte is
 * refused before the file arrives.
 */
export async function uploadMedia(
  dependencies: MediaDependencies,
  viewer: Viewer,
  read: ReadUpload,
): Promise<UploadOutcome> {
  async function refusalOf({ bytes }: { readonly bytes: number }): Promise<Refusal | null> {
    const excess = await findExcess(dependencies, viewer.workspace, { bytes });
    return excess && refuseExcess(dependencies, excess, ['file']);
  }
  const refusal = additionRefusal(viewer) ?? (await refusalOf({ bytes: 1 }));
  if (refusal) return { kind: 'refused', refusals: [refusal] };
  return receiveFile(dependencies, {
    workspaceId: viewer.workspace.id,
    read,
    refusalOf,
    async save({ name, altText, inLibrary }, accepted) {
      const { type, ...file } = accepted;
      const { media, token } = keptMedia(dependencies, { type, title: name, altText, inLibrary });
      const origin = originOf(dependencies, viewer);
      const excess = await dependencies.files.create(origin, media, { ...file, token });
      return excess
        ? { kind: 'refused', refusals: [refuseExcess(dependencies, excess, ['file'])] }
        : { kind: 'created', media: withFile(media, accepted) };
    },
  });
}
