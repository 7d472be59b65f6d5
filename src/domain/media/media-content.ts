import type { MediaType } from '../posts/post-content.js';

interface ContentEntry {
  readonly type: MediaType;
  /** How messages call the format. */
  readonly name: string;
}

/** Bytes. */
export const MEGABYTE = 1_048_576;
export const GIGABYTE = 1_024 * MEGABYTE;

/** The formats that the service keeps, by content type (D63). SVG and HTML may run scripts. */
export const MEDIA_CONTENT_TYPES = {
  'image/jpeg': { type: 'photo', name: 'JPEG' },
  'image/png': { type: 'photo', name: 'PNG' },
  'image/webp': { type: 'photo', name: 'WebP' },
  'image/gif': { type: 'gif', name: 'GIF' },
  'video/mp4': { type: 'video', name: 'MP4' },
  'video/quicktime': { type: 'video', name: 'QuickTime' },
  'video/webm': { type: 'video', name: 'WebM' },
  'video/x-matroska': { type: 'video', name: 'Matroska' },
  'video/x-msvideo': { type: 'video', name: 'AVI' },
  'application/pdf': { type: 'document', name: 'PDF' },
  'application/msword': { type: 'document', name: 'Word or PowerPoint 97' },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    type: 'document',
    name: 'Word',
  },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': {
    type: 'document',
    name: 'PowerPoint',
  },
  'application/vnd.oasis.opendocument.text': { type: 'document', name: 'OpenDocument text' },
} as const satisfies Record<string, ContentEntry>;
export type MediaContentType = keyof typeof MEDIA_CONTENT_TYPES;
export type VideoContentType = Extract<MediaContentType, `video/${string}`>;

/** Whether files of this format are videos. */
export const isVideo = (contentType: MediaContentType): contentType is VideoContentType =>
  MEDIA_CONTENT_TYPES[contentType].type === 'video';

/** The formats, as messages list them. */
export const MEDIA_FORMAT_NAMES = Object.values(MEDIA_CONTENT_TYPES)
  .map(({ name }) => name)
  .join(', ');

/** The names of codecs in messages, by the names that `videoCodec` and `audioCodec` have. */
export const CODECS = {
  h264: 'H.264',
  hevc: 'HEVC',
  vp8: 'VP8',
  vp9: 'VP9',
  av1: 'AV1',
  mpeg4: 'MPEG-4 Part 2',
  h263: 'H.263',
  mjpeg: 'Motion JPEG',
  prores: 'ProRes',
  aac: 'AAC',
  mp2: 'MP2',
  mp3: 'MP3',
  ac3: 'AC-3',
  eac3: 'E-AC-3',
  opus: 'Opus',
  vorbis: 'Vorbis',
  flac: 'FLAC',
  amr: 'AMR',
  pcm: 'PCM',
} as const;
export type CodecName = keyof typeof CODECS;

/** Bytes at the start and at the end of a file that determine its format. */
export interface FileSample {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** The bytes of each end that a sample needs: the directory of a ZIP file is at the end. */
export const SAMPLE_BYTES = { head: 4_096, tail: 65_536 } as const;

/** As text of one character per byte. */
const textOf = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

interface Signature {
  readonly contentType: MediaContentType;
  /** Tests the start of the file; `tail` is its end. */
  readonly matches: (head: string, tail: string) => boolean;
}

const starts =
  (pattern: RegExp): Signature['matches'] =>
  (head) =>
    pattern.test(head);

/** An Office file: a ZIP file whose directory lists this entry. */
const zipWith =
  (entry: string): Signature['matches'] =>
  (head, tail) =>
    head.startsWith('PK\x03\x04') && tail.includes('PK\x05\x06') && tail.includes(entry);

/** Brands of ISO media files that are not videos, such as HEIC and AVIF pictures and audio. */
const NO_VIDEO_BRAND =
  /^.{4}ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif|avis|M4A |M4B |M4P )/s;

/** The first signature that matches determines the format. */
const SIGNATURES: readonly Signature[] = [
  { contentType: 'image/jpeg', matches: starts(/^\xff\xd8\xff/) },
  { contentType: 'image/png', matches: starts(/^\x89PNG\r\n\x1a\n/) },
  { contentType: 'image/webp', matches: starts(/^RIFF.{4}WEBPVP8/s) },
  { contentType: 'image/gif', matches: starts(/^GIF8[79]a/) },
  {
    contentType: 'video/quicktime',
    matches: starts(/^.{4}(ftypqt {2}|moov|mdat|wide|free|skip)/s),
  },
  {
    contentType: 'video/mp4',
    matches: (head) => /^.{4}ftyp/s.test(head) && !NO_VIDEO_BRAND.test(head),
  },
  { contentType: 'video/webm', matches: starts(/^\x1aE\xdf\xa3.{0,64}B\x82.{1,8}webm/s) },
  { contentType: 'video/x-matroska', matches: starts(/^\x1aE\xdf\xa3.{0,64}B\x82.{1,8}matroska/s) },
  { contentType: 'video/x-msvideo', matches: starts(/^RIFF.{4}AVI /s) },
  { contentType: 'application/pdf', matches: starts(/^%PDF-/) },
  { contentType: 'application/msword', matches: starts(/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/) },
  {
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    matches: zipWith('word/document.xml'),
  },
  {
    contentType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    matches: zipWith('ppt/presentation.xml'),
  },
  {
    contentType: 'application/vnd.oasis.opendocument.text',
    matches: starts(/^PK\x03\x04.{26}mimetypeapplication\/vnd\.oasis\.opendocument\.text/s),
  },
];

/**
 * The format of a file, told by its content: names and content types that clients send are not
 * trusted (D63). Null for any other format.
 */
export function contentTypeOf(sample: FileSample): MediaContentType | null {
  const [head, tail] = [textOf(sample.head), textOf(sample.tail)];
  return SIGNATURES.find(({ matches }) => matches(head, tail))?.contentType ?? null;
}
