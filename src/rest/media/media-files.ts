import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { GatewayError } from '../../domain/errors.js';
import { requestContextOf } from '../../http/request-context.js';
import {
  assertReadMethod,
  writeHead,
  writeJson,
  writeResponse,
  type HttpHandler,
} from '../../http/responses.js';
import type { ByteRange } from '../../services/media/file-storage.js';
import type { MediaLibrary } from '../../services/media/media.js';
import type { FileVariant, ServedFile } from '../../services/media/serve-media.js';
import { presentFields } from '../body-fields.js';
import { presentRefusals } from '../errors.js';
import { UPLOADED_MEDIA } from './media-bodies.js';

/** The parts of the address of a file; null if the URL has none. */
function readAddress({ url = '' }: IncomingMessage) {
  const [path = ''] = url.split('?', 1);
  const [, id, token, variant = 'file'] =
    /^\/media\/([^/]+)\/([^/]+?)(?:\/(thumbnail|jpeg))?$/.exec(path) ?? [];
  if (id === undefined || token === undefined) return null;
  return { id, token, variant: variant as FileVariant };
}

/**
 * A file comes from a user: it must not run as a page of this origin. It is shown on pages of any
 * origin that know its address, and never changes.
 */
const FILE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'private, max-age=86400, immutable',
  'Accept-Ranges': 'bytes',
};

/** Pictures and videos are shown, documents are saved. */
function dispositionOf({ contentType, name }: ServedFile): string {
  const kind = /^(image|video)\//.test(contentType) ? 'inline' : 'attachment';
  return name === null ? kind : `${kind}; filename*=UTF-8''${encodeRfc5987(name)}`;
}

const encodeRfc5987 = (text: string): string =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Serves the files of media to anyone who has their address (D63). They need no key and are not
 * counted toward the rate limit. Any other path below /media is 404.
 */
export function createMediaFiles(media: Pick<MediaLibrary, 'find'>): HttpHandler {
  return async (request, response) => {
    requestContextOf(response).operation = 'GET /media/{id}/{token}';
    assertReadMethod(request, response);
    const address = readAddress(request);
    const file = address && (await media.find(address));
    if (!file) throw new GatewayError('NOT_FOUND', 'There is no file at this address.');
    await sendFile(request, response, { file, etag: `"${address.id}${address.variant}"` });
  };
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file, etag }: { readonly file: ServedFile; readonly etag: string },
): Promise<void> {
  const headers = {
    ...FILE_HEADERS,
    ETag: etag,
    'Content-Type': file.contentType,
    'Content-Disposition': dispositionOf(file),
  };
  if (request.headers['if-none-match'] === etag)
    return writeResponse(response, { status: 304, headers });
  const { range: rangeHeader, 'if-range': ifRange = etag } = request.headers;
  const range = file.bytes === null || ifRange !== etag ? null : readRange(rangeHeader, file.bytes);
  if (range === 'unsatisfiable')
    return writeResponse(response, {
      status: 416,
      headers: { ...headers, 'Content-Range': `bytes */${file.bytes}` },
    });
  const content = request.method === 'HEAD' ? null : await file.open(range ?? undefined);
  if (content === null && request.method !== 'HEAD')
    throw new GatewayError('NOT_FOUND', 'The file is missing in the storage.');
  const length = range ? range.last - range.first + 1 : file.bytes;
  writeHead(response, range ? 206 : 200, {
    ...headers,
    ...(range && { 'Content-Range': `bytes ${range.first}-${range.last}/${file.bytes}` }),
    ...(length !== null && { 'Content-Length': length }),
  });
  if (content === null) {
    response.end();
    return;
  }
  // The client may leave before the end.
  await pipeline(content, response).catch(() => response.destroy());
}

/**
 * Reads a Range header. Null for the whole file: without the header, and for forms that may be
 * ignored, such as several ranges. `unsatisfiable` if the file has none of the bytes.
 */
export function readRange(
  header: string | undefined,
  bytes: number,
): ByteRange | 'unsatisfiable' | null {
  const [, start, end] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (start === undefined || end === undefined || start + end === '') return null;
  const isSuffix = start === '';
  const first = isSuffix ? Math.max(bytes - Number(end), 0) : Number(start);
  const last = isSuffix || end === '' ? bytes - 1 : Math.min(Number(end), bytes - 1);
  if (!isSuffix && end !== '' && Number(end) < first) return null; // malformed
  return first <= last && first < bytes ? { first, last } : 'unsatisfiable';
}

/** The body as it arrives. @throws GatewayError BAD_USER_INPUT if it ends early */
async function* contentOf(request: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* request;
  } catch {
    throw new GatewayError('BAD_USER_INPUT', 'The body ended before it was complete.');
  }
}

/**
 * Receives a file at the one-time address of an upload (D63). The address needs no key, and the
 * request does not count toward the rate limit.
 */
export const createUploadReceiver =
  (media: Pick<MediaLibrary, 'receive'>): HttpHandler =>
  async (request, response) => {
    requestContextOf(response).operation = 'PUT /media/{id}/{token}';
    const address = readAddress(request);
    const outcome =
      address?.variant === 'file' ? await media.receive(address, contentOf(request)) : null;
    if (outcome === null)
      throw new GatewayError(
        'NOT_FOUND',
        'There is no upload at this address: it has expired or was used. Create another one.',
      );
    writeJson(
      response,
      outcome.kind === 'refused'
        ? presentRefusals(outcome.refusals)
        : { status: 200, body: presentFields(UPLOADED_MEDIA, outcome.media) },
    );
  };
