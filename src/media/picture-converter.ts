import { MEDIA_FILE_LIMITS } from '../domain/media/media-file.js';
import type { ConvertPicture } from '../services/networks/network-ports.js';
import { FAIL_ON, type PictureProcesses } from './picture-processes.js';
import { loadSharp } from './picture-reader.js';

/**
 * Converts pictures in a process of their own: to JPEG of at most a number of bytes, upright, on
 * white, with the first frame of an animation. A picture that is small enough stays as it is: only
 * its header is read, in this process. One picture is converted at a time, because each takes a core
 * and up to 160 MB of memory.
 */
export function createPictureConverter(processes: PictureProcesses): ConvertPicture {
  let loading: ReturnType<typeof loadSharp> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return async (
    picture,
    { maxBytes, maxSides = Infinity, keepsAnimations = true, asJpeg = false },
  ) => {
    const sharp = await (loading ??= loadSharp());
    const {
      width,
      height,
      orientation = 1,
    } = await sharp(picture.bytes, {
      limitInputPixels: MEDIA_FILE_LIMITS.picturePixels,
      failOn: FAIL_ON,
    }).metadata();
    const isStill = picture.type !== 'image/gif' || keepsAnimations;
    const isSmall = picture.bytes.length <= maxBytes && width + height <= maxSides;
    if (isSmall && isStill && !asJpeg) {
      const size = orientation >= 5 ? { width: height, height: width } : { width, height };
      return { ...picture, size };
    }
    const turn = last.then(() => processes.makeSmaller(picture.bytes, maxBytes));
    last = turn.catch(() => undefined);
    const smaller = await turn;
    return smaller && { type: 'image/jpeg', ...smaller, bytes: new Uint8Array(smaller.bytes) };
  };
}
