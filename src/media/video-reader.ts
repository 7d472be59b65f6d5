import { open } from 'node:fs/promises';
import type { VideoContentType } from '../domain/media/media-content.js';
import { UnreadableFileError } from '../domain/media/media-file.js';
import type { Video, VideoReader } from '../services/media/accept-file.js';
import { readAviTracks } from './avi-tracks.js';
import { readEbmlTracks } from './ebml-tracks.js';
import { FileParts, type Track, type Tracks } from './file-parts.js';
import { readIsoTracks } from './iso-tracks.js';

/** What reads the tracks of a format; null from it: the file does not describe its tracks. */
const READERS: Readonly<Record<VideoContentType, (parts: FileParts) => Promise<Tracks | null>>> = {
  'video/mp4': readIsoTracks,
  'video/quicktime': readIsoTracks,
  'video/webm': readEbmlTracks,
  'video/x-matroska': readEbmlTracks,
  'video/x-msvideo': readAviTracks,
};

/** Longer durations and higher frame rates are mistakes of the file. */
const MAX = { seconds: 1_000_000, frameRate: 1_000 } as const;

const rounded = (value: number | null, factor: number, max: number): number | null =>
  value === null || value > max ? null : Math.round(value * factor);
const UNKNOWN: Video = {
  size: null,
  video: { durationMs: null, videoCodec: null, audioCodec: null, frameRate: null },
};

/** The name of a codec, as far as people can read it. */
const nameOf = (track: Track | undefined): string | null => {
  const name = track?.codec?.trim() ?? '';
  return /^[\x21-\x7e]{1,32}$/.test(name) ? name : null;
};

/** @throws UnreadableFileError */
function toVideo({ tracks, seconds }: Tracks): Video {
  const picture = tracks.find(({ kind }) => kind === 'picture');
  const sound = tracks.find(({ kind }) => kind === 'sound');
  if (!picture)
    throw new UnreadableFileError(
      sound
        ? 'has sound but no picture; posts take no sound files'
        : 'is damaged: it has no picture',
    );
  const frameRate = rounded(picture.frameRate, 1_000, MAX.frameRate);
  return {
    size: picture.size,
    video: {
      durationMs: rounded(seconds, 1_000, MAX.seconds),
      videoCodec: nameOf(picture),
      audioCodec: nameOf(sound),
      frameRate: frameRate === null ? null : frameRate / 1_000,
    },
  };
}

/** Reads the tracks of videos from their files, in ranges. */
export const createVideoReader = (): VideoReader => ({
  async read(path, contentType) {
    const file = await open(path);
    try {
      const parts = new FileParts(file, (await file.stat()).size);
      const tracks = await READERS[contentType](parts);
      // What follows the parts that are read may contain what is missing.
      const isMissing = !tracks?.tracks.some(({ kind }) => kind === 'picture');
      if (isMissing && parts.isExhausted) return UNKNOWN;
      if (tracks) return toVideo(tracks);
      throw new UnreadableFileError(
        'is damaged or not complete: it does not describe its picture and sound',
      );
    } finally {
      await file.close();
    }
  },
});
