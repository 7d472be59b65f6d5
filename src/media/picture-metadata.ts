import { crc32 } from 'node:zlib';
import { UnreadableFileError } from '../domain/media/media-file.js';

/** Work in small steps, between which other work can be done, and its result. */
type Steps<Result> = Generator<void, Result, void>;

/**
 * The parts of a picture without what its camera or its editor says about it: position, serial
 * numbers, comments, embedded previews, and what follows the picture. The pixels are not encoded
 * again, and the orientation and the color profile are kept. A file can consist of millions of
 * small parts.
 */
export type RemoveMetadata = (file: Buffer, orientation: number) => Steps<readonly Buffer[]>;

/** Bytes or blocks that a step passes over: millions of steps would take longer than the work. */
const STEP = 1_024;

/** A picture with metadata in more places was made to take memory. */
const MAX_PARTS = 10_000;

/**
 * Appends a part. One that follows the last part in the file extends it.
 * @throws UnreadableFileError if there are too many
 */
function append(parts: Buffer[], part: Buffer): void {
  const last = parts.at(-1);
  if (last?.buffer === part.buffer && last.byteOffset + last.length === part.byteOffset)
    parts[parts.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + part.length);
  else if (parts.length < MAX_PARTS) parts.push(part);
  else throw new UnreadableFileError(`has metadata in more than ${MAX_PARTS} places`);
}

/** Exif data that consists of the orientation; null for a picture that is upright. */
function exifOf(orientation: number): Buffer | null {
  if (orientation === 1) return null;
  const exif = Buffer.alloc(26);
  exif.write('II*\0\x08', 0, 'latin1'); // little-endian, with its first directory at byte 8
  exif.writeUInt16LE(1, 8); // one entry: the orientation, one 16-bit number
  exif.writeUInt16LE(0x0112, 10);
  exif.writeUInt16LE(3, 12);
  exif.writeUInt32LE(1, 14);
  exif.writeUInt16LE(orientation, 18);
  return exif;
}

const [TEM, FIRST_RESTART, LAST_RESTART, END, SCAN] = [0x01, 0xd0, 0xd7, 0xd9, 0xda];
const [APP0, APP1, APP2, APP14, APP15, COMMENT] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe];
/** Application segments that decoders need, by marker and by their first bytes. */
const KEPT_SEGMENTS = [
  [APP0, 'JFIF\0'],
  [APP2, 'ICC_PROFILE\0'],
  [APP14, 'Adobe'],
] as const;
/** Bytes of a JFIF segment without its preview. */
const JFIF_BYTES = 18;

/** The segment without metadata; null if it consists of them. */
function keptSegment(marker: number, segment: Buffer): Buffer | null {
  if (marker === COMMENT) return null;
  if (marker < APP0 || marker > APP15) return segment;
  const isKept = KEPT_SEGMENTS.some(
    ([app, start]) => app === marker && segment.toString('latin1', 4, 4 + start.length) === start,
  );
  if (!isKept) return null;
  if (marker !== APP0 || segment.length <= JFIF_BYTES) return segment;
  const jfif = Buffer.from(segment.subarray(0, JFIF_BYTES));
  jfif.writeUInt16BE(JFIF_BYTES - 2, 2);
  jfif.writeUInt16BE(0, JFIF_BYTES - 2); // the size of the preview
  return jfif;
}

/** The position after the pixels that start here: that of the next marker. */
function* endOfScan(file: Buffer, start: number): Steps<number> {
  let at = file.indexOf(0xff, start);
  for (let count = 1; at !== -1; count += 1) {
    if (count % STEP === 0) yield;
    const next = file[at + 1]!;
    const isData = next === 0 || (next >= FIRST_RESTART && next <= LAST_RESTART);
    if (!isData && next !== 0xff) return at;
    at = file.indexOf(0xff, at + 1);
  }
  return file.length;
}

const isStandalone = (marker: number): boolean =>
  marker === 0 || marker === TEM || (marker >= FIRST_RESTART && marker <= LAST_RESTART);

/** The segment that contains Exif data. */
function app1Of(exif: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(2 + 6 + exif.length);
  return Buffer.concat([Buffer.of(0xff, APP1), length, Buffer.from('Exif\0\0', 'latin1'), exif]);
}

/** JPEG: segments up to the end of the picture. Cameras put further pictures and videos after it. */
const fromJpeg: RemoveMetadata = function* (file, orientation) {
  const start = [file.subarray(0, 2)];
  const parts: Buffer[] = [];
  let at = file.indexOf(0xff, 2);
  while (at !== -1 && at + 4 <= file.length && file[at + 1] !== END) {
    yield;
    const marker = file[at + 1]!;
    if (marker === 0xff) at += 1;
    else if (isStandalone(marker)) at = file.indexOf(0xff, at + 2);
    else {
      const end = at + 2 + file.readUInt16BE(at + 2);
      const kept = keptSegment(marker, file.subarray(at, end));
      if (kept) append(marker === APP0 && parts.length === 0 ? start : parts, kept);
      const next = marker === SCAN ? yield* endOfScan(file, end) : end;
      if (next > end) append(parts, file.subarray(end, next));
      at = file.indexOf(0xff, next);
    }
  }
  const exif = exifOf(orientation);
  return [...start, ...(exif ? [app1Of(exif)] : []), ...parts, Buffer.of(0xff, END)];
};

/** The chunks of a PNG file that determine what a viewer sees. */
const PNG_CHUNKS: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS acTL fcTL fdAT cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs'.split(
    ' ',
  ),
);

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

const PNG_SIGNATURE_BYTES = 8;
const fromPng: RemoveMetadata = function* (file, orientation) {
  const parts = [file.subarray(0, PNG_SIGNATURE_BYTES)];
  const exif = exifOf(orientation);
  let at = PNG_SIGNATURE_BYTES;
  let type = '';
  while (type !== 'IEND' && at + 8 <= file.length) {
    yield;
    const end = at + 12 + file.readUInt32BE(at);
    type = file.toString('latin1', at + 4, at + 8);
    if (PNG_CHUNKS.has(type)) append(parts, file.subarray(at, end));
    if (type === 'IHDR' && exif) parts.push(pngChunk('eXIf', exif));
    at = end;
  }
  return parts;
};

const WEBP_CHUNKS: ReadonlySet<string> = new Set([
  'VP8X',
  'VP8 ',
  'VP8L',
  'ALPH',
  'ANIM',
  'ANMF',
  'ICCP',
]);
/** Bits of the flags of a WebP file: whether it has Exif data, or XMP. */
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04];

const fromWebp: RemoveMetadata = function* (file, orientation) {
  const exif = exifOf(orientation);
  const parts: Buffer[] = [];
  const end = Math.min(file.length, 8 + file.readUInt32LE(4));
  let at = 12;
  while (at + 8 <= end) {
    yield;
    const type = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const next = at + 8 + size + (size % 2);
    const chunk = file.subarray(at, next);
    if (type === 'VP8X') {
      const header = Buffer.from(chunk);
      header[8] = (header[8]! & ~(HAS_EXIF | HAS_XMP)) | (exif ? HAS_EXIF : 0);
      append(parts, header);
    } else if (WEBP_CHUNKS.has(type)) append(parts, chunk);
    at = next;
  }
  if (exif) {
    const header = Buffer.from('EXIF\0\0\0\0', 'latin1');
    header.writeUInt32LE(exif.length, 4);
    parts.push(header, exif);
  }
  const riff = Buffer.from(file.subarray(0, 12));
  riff.writeUInt32LE(4 + parts.reduce((sum, part) => sum + part.length, 0), 4);
  return [riff, ...parts];
};

const [GIF_EXTENSION, GIF_IMAGE] = [0x21, 0x2c];
const [GIF_COMMENT, GIF_APPLICATION] = [0xfe, 0xff];
/** Application extensions that determine what a viewer sees. */
const GIF_APPLICATIONS = /^(NETSCAPE2\.0|ANIMEXTS1\.0|ICCRGBG1012)/;

/** Bytes of the color table that flags announce. */
const colorTableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** The position after the blocks of data that start here. */
function* endOfBlocks(file: Buffer, start: number): Steps<number> {
  let at = start;
  for (let count = 1; at < file.length && file[at] !== 0; count += 1) {
    if (count % STEP === 0) yield;
    at += 1 + file[at]!;
  }
  return at + 1;
}

const fromGif: RemoveMetadata = function* (file) {
  let at = 13 + colorTableBytes(file[10]!);
  const parts = [file.subarray(0, at)];
  while (file[at] === GIF_EXTENSION || file[at] === GIF_IMAGE) {
    const isImage = file[at] === GIF_IMAGE;
    const end = yield* endOfBlocks(file, at + (isImage ? 11 + colorTableBytes(file[at + 9]!) : 2));
    const label = isImage ? null : file[at + 1];
    const isKept =
      label === GIF_APPLICATION
        ? GIF_APPLICATIONS.test(file.toString('latin1', at + 3, at + 14))
        : label !== GIF_COMMENT;
    if (isKept) append(parts, file.subarray(at, end));
    at = end;
  }
  return [...parts, Buffer.of(0x3b)];
};

/** What removes the metadata of a picture, by its format. */
export const REMOVE_METADATA: Readonly<Record<'jpeg' | 'png' | 'webp' | 'gif', RemoveMetadata>> = {
  jpeg: fromJpeg,
  png: fromPng,
  webp: fromWebp,
  gif: fromGif,
};
