import { open, type FileHandle } from 'node:fs/promises';
import type { VideoReader } from '../services/media/accept-file.js';

/** A box of an ISO file (MP4, QuickTime), or an element of an EBML file (WebM, Matroska). */
interface Part {
  readonly name: string;
  /** Positions of its content in the file. */
  readonly start: number;
  readonly end: number;
}

/** Parts that are read at most: more than a real file has on the way to its tracks. */
const MAX_PARTS = 2_000;
/** The longest header of a part. */
const HEADER_BYTES = 16;

/** Reads a part's header at a position; null if there is none. */
type ReadHeader = (bytes: Buffer, position: number, end: number) => Part | null;

/** A box: size, name, and for the size 1 a size of 8 bytes. The size 0 reaches to the end. */
const isoHeader: ReadHeader = (bytes, position, end) => {
  if (bytes.length < 8) return null;
  const short = bytes.readUInt32BE(0);
  const isLong = short === 1;
  if (isLong && bytes.length < HEADER_BYTES) return null;
  const size = isLong ? Number(bytes.readBigUInt64BE(8)) : short === 0 ? end - position : short;
  const header = isLong ? HEADER_BYTES : 8;
  if (size < header) return null;
  return {
    name: bytes.toString('latin1', 4, 8),
    start: position + header,
    end: Math.min(position + size, end),
  };
};

/** The length of a number of EBML: as many leading zeros as bytes follow. */
const vintLength = (first: number): number => Math.clz32(first) - 23;

/** An element: its ID, and its size with the bit of its length removed. All ones reach to the end. */
const ebmlHeader: ReadHeader = (bytes, position, end) => {
  const idLength = vintLength(bytes[0] ?? 0);
  const sizeLength = vintLength(bytes[idLength] ?? 0);
  const header = idLength + sizeLength;
  if (idLength > 4 || sizeLength > 8 || header > bytes.length) return null;
  let size = bytes[idLength]! & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (const byte of bytes.subarray(idLength + 1, header)) {
    size = size * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return {
    name: bytes.toString('hex', 0, idLength),
    start: position + header,
    end: isUnknown ? end : Math.min(position + header + size, end),
  };
};

/** How the tracks of a container are found. */
interface Container {
  readonly header: ReadHeader;
  /** Names of the parts that lead to the kind of each track. */
  readonly path: readonly string[];
  /** Position of the kind in the last part, and its length. */
  readonly kind: { readonly offset: number; readonly length: number };
  /** The kinds of tracks, in hex. */
  readonly picture: string;
  readonly sound: string;
}

const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

const ISO: Container = {
  header: isoHeader,
  path: ['moov', 'trak', 'mdia', 'hdlr'],
  kind: { offset: 8, length: 4 },
  picture: hex('vide'),
  sound: hex('soun'),
};
const EBML: Container = {
  header: ebmlHeader,
  // Segment, Tracks, TrackEntry, TrackType
  path: ['18538067', '1654ae6b', 'ae', '83'],
  kind: { offset: 0, length: 1 },
  picture: '01',
  sound: '02',
};

const CONTAINERS: Readonly<Record<string, Container>> = {
  'video/mp4': ISO,
  'video/quicktime': ISO,
  'video/webm': EBML,
  'video/x-matroska': EBML,
};

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The kinds of the tracks of a file, as far as its parts can be read. */
async function kindsOf(
  file: FileHandle,
  { header, path, kind }: Container,
): Promise<ReadonlySet<string>> {
  const kinds = new Set<string>();
  let parts = 0;
  async function walk(start: number, end: number, depth: number): Promise<void> {
    let position = start;
    while (position < end && (parts += 1) <= MAX_PARTS) {
      const part = header(await read(file, position, HEADER_BYTES), position, end);
      if (!part) return;
      if (part.name === path[depth]) {
        if (depth < path.length - 1) await walk(part.start, part.end, depth + 1);
        else kinds.add((await read(file, part.start + kind.offset, kind.length)).toString('hex'));
      }
      position = part.end;
    }
  }
  await walk(0, (await file.stat()).size, 0);
  return kinds;
}

/** Reads the tracks of videos from their files, in ranges. */
export const createVideoReader = (): VideoReader => ({
  async isOnlySound(path, contentType) {
    const container = CONTAINERS[contentType];
    if (!container) return false;
    const file = await open(path);
    try {
      const kinds = await kindsOf(file, container);
      return kinds.has(container.sound) && !kinds.has(container.picture);
    } finally {
      await file.close();
    }
  },
});
