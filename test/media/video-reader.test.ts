import fc from 'fast-check';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { VideoContentType } from '../../src/domain/media/media-content.js';
import { UnreadableFileError } from '../../src/domain/media/media-file.js';
import { createVideoReader } from '../../src/media/video-reader.js';
import type { Video } from '../../src/services/media/accept-file.js';
import { VIDEO_FILES } from '../fixtures/media-files.js';

const TYPES = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  mkv: 'video/x-matroska',
} as const satisfies Record<string, VideoContentType>;
type Format = keyof typeof TYPES;

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'videos-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const reader = createVideoReader();
async function read(content: Uint8Array, format: Format): Promise<Video> {
  const file = path.join(folder, 'video');
  await writeFile(file, content);
  return reader.read(file, TYPES[format]);
}

/** Files that an encoder (FFmpeg) wrote. */
const SAMPLES = {
  'h264-aac.mp4': ['mp4', 64, 48, 400, 'h264', 'aac', 25],
  // Fragments without a duration in the header: the end of the last sample.
  'fragments.mp4': ['mp4', 64, 48, 528, 'h264', 'aac', 18.938],
  'rotated.mov': ['mov', 48, 64, 400, 'h264', 'aac', 25],
  'vp9-opus.webm': ['webm', 64, 48, 408, 'vp9', 'opus', 25],
  'mjpeg.mkv': ['mkv', 64, 48, 400, 'mjpeg', 'pcm', 25],
  'mpeg4-mp3.avi': ['avi', 64, 48, 576, 'mpeg4', 'mp3', 25],
} as const;
const sample = (name: keyof typeof SAMPLES): Promise<Buffer> =>
  readFile(path.join(__dirname, 'videos', name));

describe('what a video file says of itself (D88)', () => {
  it.each(Object.entries(SAMPLES))('%s of an encoder', async (name, expected) => {
    const [format, width, height, durationMs, videoCodec, audioCodec, frameRate] = expected;
    const content = await sample(name as keyof typeof SAMPLES);
    expect(await read(content, format)).toEqual({
      size: { width, height },
      video: { durationMs, videoCodec, audioCodec, frameRate },
    });
  });

  it.each([
    ['mp4', { seconds: 75.5 }, { durationMs: 75_500, videoCodec: 'h264', audioCodec: 'aac' }],
    ['mov', { frameRate: 24 }, { frameRate: 24, videoCodec: 'hevc', audioCodec: 'aac' }],
    ['mp4', { codec: 'abcd' }, { videoCodec: 'abcd' }],
    ['mp4', { codec: '\0\0\0\0' }, { videoCodec: null }],
    ['mp4', { kinds: ['picture'] }, { audioCodec: null }],
    ['mp4', { kinds: ['sound', 'picture'] }, { videoCodec: 'h264', frameRate: 30 }],
    ['mp4', { seconds: 0 }, { durationMs: null, frameRate: null }],
    ['webm', { seconds: 2.25 }, { durationMs: 2_250, videoCodec: 'vp9', audioCodec: 'opus' }],
    ['webm', { seconds: 0 }, { durationMs: null }],
    ['avi', { seconds: 12, frameRate: 15 }, { durationMs: 12_000, frameRate: 15 }],
  ] as const)('%s: %j', async (format, says, expected) => {
    expect((await read(VIDEO_FILES[format](says), format)).video).toMatchObject(expected);
  });

  it.each([
    ['mp4', { width: 1_920, height: 1_080 }, { width: 1_920, height: 1_080 }],
    ['mov', { width: 1_920, height: 1_080, rotated: true }, { width: 1_080, height: 1_920 }],
    ['webm', { width: 1_080, height: 1_920 }, { width: 1_080, height: 1_920 }],
    ['avi', { width: 320, height: 240 }, { width: 320, height: 240 }],
    ['mp4', { width: 0, height: 0 }, null],
  ] as const)('%s: size of %j', async (format, says, size) => {
    expect((await read(VIDEO_FILES[format](says), format)).size).toEqual(size);
  });

  it.each(['mp4', 'mov', 'webm', 'avi'] as const)('refuses %s with sound only', async (format) => {
    const sound = VIDEO_FILES[format]({ kinds: ['sound', 'sound'] });
    await expect(read(sound, format)).rejects.toThrow(
      new UnreadableFileError('has sound but no picture; posts take no sound files'),
    );
  });

  it.each(['mp4', 'mov', 'webm', 'avi'] as const)(
    'refuses %s that ends before its tracks',
    async (format) => {
      await expect(read(VIDEO_FILES[format]().subarray(0, 16), format)).rejects.toThrow(
        /^is damaged or not complete: it does not describe its picture and sound$/,
      );
    },
  );
});

describe('files that were made to do harm', () => {
  it('takes a file of more parts than are read, of which it knows nothing', async () => {
    const boxes = Buffer.alloc(8 * 30_000, '\0\0\0\x08free', 'latin1');
    expect((await read(boxes, 'mp4')).video.durationMs).toBeNull();
  });

  it('passes over the content of a large file', async () => {
    const file = path.join(folder, 'large');
    const size = 180 * 1_048_576;
    const header = Buffer.from('\0\0\0\0mdat', 'latin1');
    header.writeUInt32BE(size);
    await writeFile(file, header);
    const handle = await open(file, 'r+');
    // The rest is a hole: it takes no space.
    await handle.write(VIDEO_FILES.mp4({ seconds: 9 }), 0, undefined, size);
    await handle.close();
    expect((await reader.read(file, 'video/mp4')).video.durationMs).toBe(9_000);
    await rm(file);
  });

  it('refuses broken files with words, or says what fits the database', async () => {
    const files = await Promise.all(
      Object.entries(SAMPLES).map(async ([name, [format]]) => ({
        format: format as Format,
        content: await sample(name as keyof typeof SAMPLES),
      })),
    );
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      byte: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(change, { maxLength: 20 }),
        fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
        async ({ format, content }, changes, kept) => {
          const broken = Buffer.from(content.subarray(0, Math.ceil(content.length * kept)));
          for (const { at, byte } of changes) broken[Math.floor(at * (broken.length - 1))] = byte;
          const said = await read(broken, format).catch((error: unknown) => error);
          if (said instanceof UnreadableFileError) return;
          const { size, video } = said as Video;
          for (const number of [size?.width, size?.height, video.durationMs])
            if (number != null)
              expect(number > 0 && number < 2 ** 31 && number % 1 === 0).toBe(true);
          expect(video.frameRate === null || video.frameRate <= 1_000).toBe(true);
          for (const codec of [video.videoCodec, video.audioCodec])
            expect(codec ?? 'x').toMatch(/^[\x21-\x7e]{1,32}$/);
        },
      ),
      { numRuns: 500 },
    );
  });
});
