import {
  known,
  knownSize,
  type FileParts,
  type Part,
  type ReadHeader,
  type Track,
  type Tracks,
} from './file-parts.js';

/** The length of a number of EBML: as many leading zeros as bytes follow. */
const vintLength = (first: number): number => Math.clz32(first) - 23;

/** An element: its ID, and its size with the bit of its length removed. All ones reach to the end. */
const elementHeader: ReadHeader = (bytes, position, end) => {
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

/** IDs of elements, in hex. */
const ID = {
  segment: '18538067',
  info: '1549a966',
  timestampScale: '2ad7b1',
  duration: '4489',
  tracks: '1654ae6b',
  track: 'ae',
  kind: '83',
  codec: '86',
  frameDuration: '23e383',
  video: 'e0',
  width: 'b0',
  height: 'ba',
  shownWidth: '54b0',
  shownHeight: '54ba',
  shownUnit: '54b2',
} as const;

/** The names that people know of codecs; of others, their IDs. */
const CODECS: readonly (readonly [start: string, name: string])[] = [
  ['V_MPEG4/ISO/AVC', 'h264'],
  ['V_MPEGH/ISO/HEVC', 'hevc'],
  ['V_MPEG4', 'mpeg4'],
  ['V_VP8', 'vp8'],
  ['V_VP9', 'vp9'],
  ['V_AV1', 'av1'],
  ['V_MJPEG', 'mjpeg'],
  ['V_PRORES', 'prores'],
  ['A_OPUS', 'opus'],
  ['A_VORBIS', 'vorbis'],
  ['A_AAC', 'aac'],
  ['A_MPEG/L3', 'mp3'],
  ['A_AC3', 'ac3'],
  ['A_EAC3', 'eac3'],
  ['A_FLAC', 'flac'],
  ['A_PCM', 'pcm'],
];
const KINDS: Readonly<Record<number, Track['kind']>> = { 1: 'picture', 2: 'sound' };

/** The tracks of a WebM or Matroska file; null if it does not describe them. */
export async function readEbmlTracks(parts: FileParts): Promise<Tracks | null> {
  const tracks: Track[] = [];
  let hasTracks = false;
  /** Nanoseconds. */
  let timestampScale = 1_000_000;
  let duration = 0;

  async function unsigned(part: Part): Promise<number> {
    const length = Math.min(8, part.end - part.start);
    let value = 0;
    for (const byte of await parts.contentOf(part, length)) value = value * 256 + byte;
    return value;
  }
  async function float(part: Part): Promise<number> {
    const length = part.end - part.start;
    const bytes = await parts.contentOf(part, 8);
    return length === 4 ? bytes.readFloatBE(0) : length === 8 ? bytes.readDoubleBE(0) : 0;
  }

  async function readTrack(track: Part): Promise<void> {
    let [kind, codec, frameDuration] = [0, '', 0];
    const pixels = { width: 0, height: 0 };
    const shown = { width: 0, height: 0, unit: 0 };
    await parts.visit(track, elementHeader, {
      [ID.kind]: async (part) => void (kind = await unsigned(part)),
      [ID.codec]: async (part) =>
        void (codec = (await parts.contentOf(part, Math.min(32, part.end - part.start))).toString(
          'latin1',
        )),
      [ID.frameDuration]: async (part) => void (frameDuration = await unsigned(part)),
      [ID.video]: (video) =>
        parts.visit(video, elementHeader, {
          [ID.width]: async (part) => void (pixels.width = await unsigned(part)),
          [ID.height]: async (part) => void (pixels.height = await unsigned(part)),
          [ID.shownWidth]: async (part) => void (shown.width = await unsigned(part)),
          [ID.shownHeight]: async (part) => void (shown.height = await unsigned(part)),
          [ID.shownUnit]: async (part) => void (shown.unit = await unsigned(part)),
        }),
    });
    const trackKind = KINDS[kind];
    if (!trackKind) return;
    // Other units than pixels say only the ratio.
    const hasShown = shown.unit === 0 && shown.width > 0 && shown.height > 0;
    const { width, height } = hasShown ? shown : pixels;
    tracks.push({
      kind: trackKind,
      codec: CODECS.find(([start]) => codec.startsWith(start))?.[1] ?? codec,
      size: trackKind === 'sound' ? null : knownSize(width, height),
      frameRate: trackKind === 'sound' ? null : known(1e9 / frameDuration),
    });
  }

  await parts.visit({ start: 0, end: parts.bytes }, elementHeader, {
    [ID.segment]: (segment) =>
      parts.visit(segment, elementHeader, {
        [ID.info]: (info) =>
          parts.visit(info, elementHeader, {
            [ID.timestampScale]: async (part) => void (timestampScale = await unsigned(part)),
            [ID.duration]: async (part) => void (duration = await float(part)),
          }),
        [ID.tracks]: async (list) => {
          hasTracks = true;
          await parts.visit(list, elementHeader, { [ID.track]: readTrack });
        },
      }),
  });
  return hasTracks ? { tracks, seconds: known((duration * timestampScale) / 1e9) } : null;
}
