import { readFile, stat } from 'node:fs/promises';
import type { default as sharpModule, Metadata } from 'sharp';
import { MEGABYTE } from '../domain/media/media-content.js';
import {
  MEDIA_FILE_LIMITS,
  presentBytes,
  UnreadableFileError,
} from '../domain/media/media-file.js';
import type { Picture, PictureReader } from '../services/media/accept-file.js';
import { REMOVE_METADATA } from './picture-metadata.js';
import { FAIL_ON, type PictureProcesses } from './picture-processes.js';

/** Memory that the decoding of one picture may take. */
const MAX_DECODING_BYTES = 160 * MEGABYTE;
/** Pictures that are read at the same time, and memory that they may take together. */
const AT_ONCE = { pictures: 2, bytes: 192 * MEGABYTE } as const;

type Sharp = typeof sharpModule;
type Format = keyof typeof REMOVE_METADATA;
type Header = Metadata & { readonly format: Format };

interface PictureReaderOptions {
  /** Whether the files of pictures stay as they are. */
  readonly keepsMetadata: boolean;
  readonly processes: Pick<PictureProcesses, 'makeThumbnail'>;
  /** Does work in steps, so that it does not stop others. */
  readonly inSlices: <Result>(steps: Iterator<void, Result, void>) => Result | Promise<Result>;
}

/** Loads sharp with the first picture, so that it does not delay startup. */
export async function loadSharp(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  // One thread for a picture, and nothing kept: it must not take the CPU and memory of others.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

/**
 * A JPEG file in several passes has a coefficient of two bytes per pixel and channel. Fewer if its
 * colors have a lower resolution, which a forged header can claim.
 */
const COEFFICIENT_BYTES = 2;

/**
 * Memory for each pixel while a picture is decoded, as measured. The lines of most JPEG and PNG files
 * are decoded one after another; those in passes have to be in memory as a whole, like lossless WebP
 * and frames of GIF files.
 */
const BYTES_PER_PIXEL: Readonly<Record<Format, (header: Header) => number>> = {
  jpeg: ({ isProgressive, channels }) => (isProgressive ? COEFFICIENT_BYTES * channels : 0),
  png: ({ isProgressive, channels, depth }) =>
    isProgressive ? 1 + channels * (depth === 'ushort' ? 2 : 1) : 0,
  webp: () => 4,
  gif: () => 6,
};

/** Reads what a file says about its picture, without decoding it. @throws UnreadableFileError */
async function readHeader(sharp: Sharp, path: string): Promise<{ header: Header; bytes: number }> {
  const { picturePixels } = MEDIA_FILE_LIMITS;
  // Only the header is read: the size is checked here.
  const header = (await sharp(path, { limitInputPixels: false, failOn: FAIL_ON })
    .metadata()
    .catch((cause: unknown) => {
      throw new UnreadableFileError('is damaged: it cannot be decoded', { cause });
    })) as Header;
  const { width, height, format } = header;
  if (width * height > picturePixels)
    throw new UnreadableFileError(
      `has ${width} × ${height} pixels; a picture may have at most ${picturePixels / 1_000_000} million`,
    );
  const bytes = width * height * BYTES_PER_PIXEL[format](header);
  if (bytes > MAX_DECODING_BYTES)
    throw new UnreadableFileError(
      `takes ${presentBytes(bytes)} of memory to decode; a picture may take at most ${presentBytes(MAX_DECODING_BYTES)}. Save it with fewer pixels, or as JPEG or PNG that is neither progressive nor interlaced`,
    );
  return { header, bytes };
}

async function readPicture(
  path: string,
  { width, height, orientation = 1, format }: Header,
  { keepsMetadata, processes, inSlices }: PictureReaderOptions,
): Promise<Picture> {
  const thumbnail = await processes.makeThumbnail(path);
  const isRotated = orientation >= 5;
  return {
    size: isRotated ? { width: height, height: width } : { width, height },
    thumbnail,
    stripped: keepsMetadata
      ? null
      : await inSlices(REMOVE_METADATA[format](await readFile(path), orientation)),
  };
}

/** What a picture takes while it is read. */
interface Reading {
  readonly workspaceId: string;
  readonly bytes: number;
}

/**
 * Lets pictures be read in turn: one of a workspace at a time, and several together if their memory
 * suffices. Those that do not fit let others pass.
 */
function createTurns() {
  const waiting: (Reading & { start(): void })[] = [];
  const running = new Set<Reading>();

  function fits({ workspaceId, bytes }: Reading): boolean {
    const others = [...running];
    const taken = others.reduce((sum, other) => sum + other.bytes, 0);
    return (
      others.length < AT_ONCE.pictures &&
      others.every((other) => other.workspaceId !== workspaceId) &&
      (others.length === 0 || taken + bytes <= AT_ONCE.bytes)
    );
  }

  function startNext(): void {
    const index = waiting.findIndex(fits);
    if (index < 0) return;
    const [reading] = waiting.splice(index, 1);
    running.add(reading!);
    reading!.start();
    startNext();
  }

  return async <Result>(reading: Reading, read: () => Promise<Result>): Promise<Result> => {
    let end = (): void => undefined;
    await new Promise<void>((resolve) => {
      const entry = { ...reading, start: resolve };
      end = () => void running.delete(entry);
      waiting.push(entry);
      startNext();
    });
    try {
      return await read();
    } finally {
      end();
      startNext();
    }
  };
}

/** Reads pictures with libvips. */
export function createPictureReader(options: PictureReaderOptions): PictureReader {
  let loading: ReturnType<typeof loadSharp> | undefined;
  const inTurn = createTurns();
  return {
    async read(path, workspaceId) {
      const sharp = await (loading ??= loadSharp());
      const { header, bytes } = await readHeader(sharp, path);
      // Its file is in memory afterwards.
      const { size: fileBytes } = await stat(path);
      return inTurn({ workspaceId, bytes: Math.max(bytes, fileBytes) }, () =>
        readPicture(path, header, options),
      );
    },
  };
}
