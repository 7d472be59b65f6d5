// A process of its own: what libvips allocates stays with the process, and a picture that crashes it
// or takes too long stops nothing else.
import sharp from 'sharp';
import { MEDIA_FILE_LIMITS } from '../domain/media/media-file.js';
import {
  FAIL_ON,
  READY,
  type PictureAnswer,
  type PictureResults,
  type PictureTask,
  type SmallerPicture,
} from './picture-processes.js';

/** Longest side of a thumbnail, in pixels. */
const THUMBNAIL_SIDE = 400;
/** A picture that takes longer was made to be slow. */
const TIMEOUT_SECONDS = 10;
/** Longest sides and qualities that are tried, in pixels and percent, until the file is small enough. */
const STEPS = [
  { side: 4_096, quality: 90 },
  { side: 2_560, quality: 88 },
  { side: 2_048, quality: 82 },
  { side: 1_280, quality: 76 },
  { side: 800, quality: 70 },
] as const;

// One thread, and nothing kept: pictures must not take the CPU and the memory of the requests.
sharp.cache(false);
sharp.concurrency(1);

const open = (picture: string | Uint8Array) =>
  sharp(picture, {
    limitInputPixels: MEDIA_FILE_LIMITS.picturePixels,
    sequentialRead: true,
    failOn: FAIL_ON,
  })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient();

const thumbnailOf = (path: string): Promise<Buffer> =>
  open(path)
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();

/** The picture as JPEG, upright, on white, with the first frame of an animation. */
async function smallerPicture(
  picture: Uint8Array,
  maxBytes: number,
): Promise<SmallerPicture | null> {
  for (const { side, quality } of STEPS) {
    const { data, info } = await open(picture)
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality, mozjpeg: true })
      .toBuffer({ resolveWithObject: true });
    if (data.length <= maxBytes)
      return { bytes: data, size: { width: info.width, height: info.height } };
  }
  return null;
}

const perform = (task: PictureTask): Promise<PictureResults[PictureTask['kind']]> =>
  task.kind === 'thumbnail' ? thumbnailOf(task.path) : smallerPicture(task.picture, task.maxBytes);

const answer = (message: PictureAnswer | typeof READY): unknown => process.send?.(message);

process.on('message', (task: PictureTask) => {
  perform(task).then(
    (result) => answer({ result }),
    ({ message }: Error) => answer({ problem: message }),
  );
});
// It ends with its parent, which finishes its requests first.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
answer(READY);
