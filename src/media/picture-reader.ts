import type sharpModule from 'sharp';
import { MEDIA_FILE_LIMITS, UnreadablePictureError } from '../domain/media/media-file.js';
import type { Picture, PictureReader } from '../services/media/accept-file.js';

/** Longest side of a thumbnail, in pixels. */
const THUMBNAIL_SIDE = 400;
/** A picture that takes longer was made to be slow. */
const TIMEOUT_SECONDS = 10;

type Sharp = typeof sharpModule;

/** Loads sharp with the first picture, so that it does not delay startup. */
async function loadSharp(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  // One picture at a time, on one thread, and nothing kept: a burst of uploads must not take the
  // CPU and the memory of the requests.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

async function readPicture(sharp: Sharp, path: string): Promise<Picture> {
  const { picturePixels } = MEDIA_FILE_LIMITS;
  const {
    width,
    height,
    orientation = 1,
  } = await sharp(path, {
    limitInputPixels: false, // only the header is read: the size is checked below
  }).metadata();
  if (width * height > picturePixels)
    throw new UnreadablePictureError(
      `has ${width} × ${height} pixels; a picture may have at most ${picturePixels / 1_000_000} million`,
    );
  const thumbnail = await sharp(path, { limitInputPixels: picturePixels, sequentialRead: true })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
  const isRotated = orientation >= 5;
  return {
    size: isRotated ? { width: height, height: width } : { width, height },
    thumbnail,
  };
}

/** Reads pictures with libvips. Reads one picture at a time. */
export function createPictureReader(): PictureReader {
  let loading: ReturnType<typeof loadSharp> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    read(path) {
      const reading = last.then(async () => {
        const sharp = await (loading ??= loadSharp());
        return readPicture(sharp, path).catch((error: unknown) => {
          if (error instanceof UnreadablePictureError) throw error;
          throw new UnreadablePictureError('is damaged: it cannot be decoded', { cause: error });
        });
      });
      last = reading.catch(() => undefined);
      return reading;
    },
  };
}
