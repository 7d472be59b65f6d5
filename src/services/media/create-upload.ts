import type { Viewer } from '../../domain/access/viewer.js';
import type { Refusal } from '../../domain/errors.js';
import { MEDIA_FILE_LIMITS, mediaPath, presentBytes } from '../../domain/media/media-file.js';
import { mediaTypeOf } from '../../domain/posts/post-content.js';
import { RefusedFileError } from './accept-file.js';
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
} from './upload-media.js';

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
export async function createUpload(
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
  await files.createUpload(originOf(viewer, clock), {
    media,
    token,
    bytes,
    uploadTokenHash: hashOf(uploadToken),
    expiresAt,
  });
  const url = `${baseUrl}${mediaPath(media.id, uploadToken)}`;
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
export async function receiveUpload(
  dependencies: MediaDependencies,
  { id, token }: { readonly id: string; readonly token: string },
  content: AsyncIterable<Uint8Array>,
): Promise<UploadOutcome | null> {
  const { files, clock } = dependencies;
  const media = await files.findUpload(id, hashOf(token), clock.now());
  if (!media) return null;
  let wasUsed = false;
  const outcome = await receiveFile(
    dependencies,
    async (receive) => ({ file: await receive(ofSize(content, media.expectedBytes)) }),
    async (_read, accepted) => {
      // Another request may have sent the file meanwhile.
      wasUsed = !(await files.complete(id, accepted, clock.now()));
      return { kind: 'created', media: withFile({ ...media, type: accepted.type }, accepted) };
    },
  );
  return wasUsed ? null : outcome;
}
