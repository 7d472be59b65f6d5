import {
  known,
  knownSize,
  type FileParts,
  type ReadHeader,
  type Track,
  type Tracks,
} from './file-parts.js';

/** A chunk; a list has the name of its kind. Chunks start at even positions. */
const chunkHeader: ReadHeader = (bytes, position, end) => {
  if (bytes.length < 8) return null;
  const name = bytes.toString('latin1', 0, 4);
  const size = bytes.readUInt32LE(4);
  const next = Math.min(position + 8 + size + (size % 2), end);
  if (name !== 'RIFF' && name !== 'LIST') return { name, start: position + 8, end: next };
  return bytes.length < 12
    ? null
    : { name: bytes.toString('latin1', 8, 12), start: position + 12, end: next };
};

/** The names that people know of codecs, by the names in upper case that the streams have. */
const VIDEO_CODECS: Readonly<Record<string, string>> = {
  H264: 'h264',
  X264: 'h264',
  AVC1: 'h264',
  HEVC: 'hevc',
  XVID: 'mpeg4',
  DIVX: 'mpeg4',
  DX50: 'mpeg4',
  FMP4: 'mpeg4',
  MP4V: 'mpeg4',
  MJPG: 'mjpeg',
};
const AUDIO_CODECS: Readonly<Record<number, string>> = {
  0x01: 'pcm',
  0x50: 'mp2',
  0x55: 'mp3',
  0xff: 'aac',
  0x2000: 'ac3',
};

/** The tracks of an AVI file; null if it does not describe them. */
export async function readAviTracks(parts: FileParts): Promise<Tracks | null> {
  const tracks: Track[] = [];
  let seconds = 0;
  let hasHeaders = false;
  const readStream: (stream: { start: number; end: number }) => Promise<void> = async (stream) => {
    let [kind, rate, frames] = ['', 0, 0];
    await parts.visit(stream, chunkHeader, {
      strh: async (part) => {
        const header = await parts.contentOf(part, 36);
        kind = header.toString('latin1', 0, 4);
        rate = header.readUInt32LE(24) / header.readUInt32LE(20);
        frames = header.readUInt32LE(32);
      },
      strf: async (part) => {
        const format = await parts.contentOf(part, 40);
        if (kind === 'auds') {
          const codec = AUDIO_CODECS[format.readUInt16LE(0)] ?? null;
          tracks.push({ kind: 'sound', codec, size: null, frameRate: null });
        } else if (kind === 'vids') {
          const name = format.toString('latin1', 16, 20);
          tracks.push({
            kind: 'picture',
            codec: VIDEO_CODECS[name.toUpperCase()] ?? name,
            // A negative height: its lines are stored from the first to the last.
            size: knownSize(format.readInt32LE(4), Math.abs(format.readInt32LE(8))),
            frameRate: known(rate),
          });
        }
      },
    });
    if (kind === 'vids' || kind === 'auds') seconds = Math.max(seconds, known(frames / rate) ?? 0);
  };
  await parts.visit({ start: 0, end: parts.bytes }, chunkHeader, {
    'AVI ': (file) =>
      parts.visit(file, chunkHeader, {
        hdrl: async (headers) => {
          hasHeaders = true;
          await parts.visit(headers, chunkHeader, { strl: readStream });
        },
      }),
  });
  return hasHeaders ? { tracks, seconds: known(seconds) } : null;
}
