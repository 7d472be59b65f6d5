import {
  known,
  knownSize,
  type FileParts,
  type Part,
  type ReadHeader,
  type Track,
  type Tracks,
} from './file-parts.js';

/** A box: size, name, and for the size 1 a size of 8 bytes. The size 0 reaches to the end. */
const boxHeader: ReadHeader = (bytes, position, end) => {
  if (bytes.length < 8) return null;
  const short = bytes.readUInt32BE(0);
  const isLong = short === 1;
  if (isLong && bytes.length < 16) return null;
  const size = isLong ? Number(bytes.readBigUInt64BE(8)) : short === 0 ? end - position : short;
  const header = isLong ? 16 : 8;
  if (size < header) return null;
  return {
    name: bytes.toString('latin1', 4, 8),
    start: position + header,
    end: Math.min(position + size, end),
  };
};

/** The names that people know of codecs, by the names in sample descriptions. */
const CODECS: Readonly<Record<string, string>> = {
  avc1: 'h264',
  avc3: 'h264',
  hvc1: 'hevc',
  hev1: 'hevc',
  dvh1: 'hevc',
  dvhe: 'hevc',
  vp08: 'vp8',
  vp09: 'vp9',
  av01: 'av1',
  mp4v: 'mpeg4',
  jpeg: 'mjpeg',
  mjpa: 'mjpeg',
  apch: 'prores',
  apcn: 'prores',
  apcs: 'prores',
  apco: 'prores',
  ap4h: 'prores',
  ap4x: 'prores',
  s263: 'h263',
  mp4a: 'aac',
  '.mp3': 'mp3',
  'ac-3': 'ac3',
  'ec-3': 'eac3',
  Opus: 'opus',
  fLaC: 'flac',
  samr: 'amr',
  sowt: 'pcm',
  twos: 'pcm',
  lpcm: 'pcm',
  in24: 'pcm',
  ipcm: 'pcm',
};

const KINDS: Readonly<Record<string, Track['kind']>> = { vide: 'picture', soun: 'sound' };

/** A time and how many of its units make a second. */
interface Scaled {
  readonly duration: number;
  readonly timescale: number;
}

/** What the boxes of a track say. */
interface TrackBoxes {
  id: number;
  isEnabled: boolean;
  isRotated: boolean;
  shown: { width: number; height: number };
  media: Scaled;
  handler: string;
  format: string;
  coded: { width: number; height: number };
  samples: number;
  /** Of the fragments, in units of the time scale. */
  fragments: { end: number; samples: number; sampleDuration: number };
}

const newTrack = (): TrackBoxes => ({
  id: 0,
  isEnabled: false,
  isRotated: false,
  shown: { width: 0, height: 0 },
  media: { duration: 0, timescale: 0 },
  handler: '',
  format: '',
  coded: { width: 0, height: 0 },
  samples: 0,
  fragments: { end: 0, samples: 0, sampleDuration: 0 },
});

/** A number of 8 bytes in the second version of a box, of 4 bytes in the first one. */
const timeAt = (box: Buffer, isLong: boolean, offset: number): number => {
  if (isLong) return Number(box.readBigUInt64BE(offset));
  const time = box.readUInt32BE(offset);
  return time === 0xffff_ffff ? 0 : time; // unknown
};

/** Time scale and duration of the header of a movie or of a track's media. */
function scaledOf(box: Buffer): Scaled {
  const isLong = box[0] === 1;
  return {
    timescale: box.readUInt32BE(isLong ? 20 : 12),
    duration: timeAt(box, isLong, isLong ? 24 : 16),
  };
}

/** Reads the boxes of a file. */
class IsoFile {
  readonly tracks: TrackBoxes[] = [];
  movie: Scaled = { duration: 0, timescale: 0 };
  fragmentsDuration = 0;
  hasMovie = false;

  constructor(private readonly parts: FileParts) {}

  async read(): Promise<void> {
    const file = { start: 0, end: this.parts.bytes };
    await this.parts.visit(file, boxHeader, {
      moov: (part) => this.#readMovie(part),
      moof: (part) => this.#readFragment(part),
    });
  }

  async #readMovie(movie: Part): Promise<void> {
    this.hasMovie = true;
    const { parts } = this;
    await parts.visit(movie, boxHeader, {
      mvhd: async (part) => void (this.movie = scaledOf(await parts.contentOf(part, 32))),
      trak: (part) => this.#readTrack(part),
      mvex: (part) => this.#readExtends(part),
    });
  }

  async #readTrack(box: Part): Promise<void> {
    const { parts } = this;
    const track = newTrack();
    this.tracks.push(track);
    await parts.visit(box, boxHeader, {
      tkhd: async (part) => {
        const header = await parts.contentOf(part, 96);
        const isLong = header[0] === 1;
        const [matrix, size] = isLong ? [52, 88] : [40, 76];
        track.id = header.readUInt32BE(isLong ? 20 : 12);
        track.isEnabled = (header[3]! & 1) === 1;
        track.isRotated = header.readInt32BE(matrix) === 0 && header.readInt32BE(matrix + 16) === 0;
        track.shown = {
          width: header.readUInt32BE(size) / 65_536,
          height: header.readUInt32BE(size + 4) / 65_536,
        };
      },
      mdia: (part) => this.#readMedia(part, track),
    });
  }

  async #readMedia(box: Part, track: TrackBoxes): Promise<void> {
    const { parts } = this;
    const samples = async (part: Part): Promise<void> => {
      track.samples = (await parts.contentOf(part, 12)).readUInt32BE(8);
    };
    const descend =
      (visits: Parameters<FileParts['visit']>[2]) =>
      (part: Part): Promise<void> =>
        parts.visit(part, boxHeader, visits);
    await parts.visit(box, boxHeader, {
      mdhd: async (part) => void (track.media = scaledOf(await parts.contentOf(part, 32))),
      hdlr: async (part) =>
        void (track.handler = (await parts.contentOf(part, 12)).toString('latin1', 8)),
      minf: descend({
        stbl: descend({
          stsd: async (part) => {
            const description = await parts.contentOf(part, 44);
            track.format = description.toString('latin1', 12, 16);
            track.coded = {
              width: description.readUInt16BE(40),
              height: description.readUInt16BE(42),
            };
          },
          stsz: samples,
          stz2: samples,
        }),
      }),
    });
  }

  /** What the fragments have in common. */
  async #readExtends(box: Part): Promise<void> {
    const { parts } = this;
    await parts.visit(box, boxHeader, {
      mehd: async (part) => {
        const header = await parts.contentOf(part, 12);
        this.fragmentsDuration = timeAt(header, header[0] === 1, 4);
      },
      trex: async (part) => {
        const defaults = await parts.contentOf(part, 16);
        const track = this.#trackOf(defaults.readUInt32BE(4));
        if (track) track.fragments.sampleDuration = defaults.readUInt32BE(12);
      },
    });
  }

  #trackOf(id: number): TrackBoxes | undefined {
    return this.tracks.find((track) => track.id === id);
  }

  async #readFragment(box: Part): Promise<void> {
    const { parts } = this;
    await parts.visit(box, boxHeader, {
      traf: async (fragment) => {
        let track: TrackBoxes | undefined;
        let sampleDuration = 0;
        await parts.visit(fragment, boxHeader, {
          tfhd: async (part) => {
            const header = await parts.contentOf(part, 28);
            const flags = header.readUInt32BE(0);
            track = this.#trackOf(header.readUInt32BE(4));
            const offset = 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0);
            sampleDuration =
              flags & 0x8 ? header.readUInt32BE(offset) : (track?.fragments.sampleDuration ?? 0);
          },
          tfdt: async (part) => {
            const header = await parts.contentOf(part, 12);
            if (track) track.fragments.end = timeAt(header, header[0] === 1, 4);
          },
          trun: async (part) => {
            if (track) await this.#readRun(part, track, sampleDuration);
          },
        });
      },
    });
  }

  async #readRun(run: Part, { fragments }: TrackBoxes, sampleDuration: number): Promise<void> {
    const header = await this.parts.contentOf(run, 8);
    const flags = header.readUInt32BE(0);
    const samples = header.readUInt32BE(4);
    fragments.samples += samples;
    if (!(flags & 0x100)) {
      fragments.end += samples * sampleDuration;
      return;
    }
    // Each sample has a duration, which is the first of its numbers: the first ones stand for all.
    const sampleBytes = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
    const start = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
    const table = await this.parts.read(
      run.start + start,
      Math.max(0, run.end - run.start - start),
    );
    const count = Math.min(samples, Math.floor(table.length / sampleBytes));
    let duration = 0;
    for (let index = 0; index < count; index += 1)
      duration += table.readUInt32BE(index * sampleBytes);
    if (count > 0) fragments.end += (duration / count) * samples;
  }
}

/** Frames a second: those of the file, and of its fragments. */
function frameRateOf({ media, samples, fragments }: TrackBoxes): number | null {
  const units = samples > 0 ? media.duration : fragments.end;
  return known(((samples || fragments.samples) * media.timescale) / units);
}

function toTrack(track: TrackBoxes): Track | null {
  const kind = KINDS[track.handler];
  if (!kind) return null;
  const { shown, coded, isRotated, format } = track;
  const { width, height } = known(shown.width) && known(shown.height) ? shown : coded;
  return {
    kind,
    codec: CODECS[format] ?? format,
    size: kind === 'sound' ? null : isRotated ? knownSize(height, width) : knownSize(width, height),
    frameRate: kind === 'sound' ? null : frameRateOf(track),
  };
}

const secondsOf = ({ movie, fragmentsDuration, tracks }: IsoFile): number | null =>
  known(movie.duration / movie.timescale) ??
  known(fragmentsDuration / movie.timescale) ??
  known(
    Math.max(
      0,
      ...tracks.flatMap(
        ({ media: { duration, timescale }, fragments }) =>
          known(Math.max(duration, fragments.end) / timescale) ?? [],
      ),
    ),
  );

/** The tracks of an MP4 or QuickTime file; null if it does not describe them. */
export async function readIsoTracks(parts: FileParts): Promise<Tracks | null> {
  const file = new IsoFile(parts);
  await file.read();
  if (!file.hasMovie) return null;
  // Players show the first track that is enabled.
  const tracks = file.tracks.toSorted((a, b) => Number(b.isEnabled) - Number(a.isEnabled));
  return { tracks: tracks.flatMap((track) => toTrack(track) ?? []), seconds: secondsOf(file) };
}
