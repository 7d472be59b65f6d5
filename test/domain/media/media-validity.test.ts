import type { MediaContentType } from '../../../src/domain/media/media-content.js';
import type {
  AttachedFile,
  MediaContent,
  PictureSize,
  VideoProperties,
} from '../../../src/domain/media/media-file.js';
import { mediaValidity, sentMedia } from '../../../src/domain/media/media-validity.js';
import { enumKeys } from '../../../src/domain/enums.js';
import { NETWORKS } from '../../../src/domain/networks/networks.js';
import { anAttachment } from '../../fixtures/posts.js';
import { needsMedia } from '../../../src/domain/posts/post-content.js';

const MB = 1_048_576;

const reasonOf = (contentType: MediaContentType, bytes: number, where: string) => {
  const entries = mediaValidity({ contentType, bytes, size: null, video: null });
  const found = entries.find(({ network, type }) => `${network} ${type}` === where)!;
  expect(found.valid).toBe(found.reason === null);
  return found.reason;
};

describe('validity of a file (D63)', () => {
  it('has one entry for each network and type of post that consists of media', () => {
    const entries = mediaValidity({ contentType: 'image/png', bytes: 1, size: null, video: null });
    expect(entries.map(({ network, type }) => `${network} ${type}`).sort()).toEqual(
      enumKeys(NETWORKS)
        .flatMap((network) =>
          NETWORKS[network].postTypes.filter(needsMedia).map((type) => `${network} ${type}`),
        )
        .sort(),
    );
  });

  it.each([
    ['image/jpeg', 2 * MB, 'instagram photo', null],
    ['image/png', 5 * MB, 'twitter photo', null],
    ['image/png', 100, 'twitter video', 'A video post takes video, not photo.'],
    ['video/mp4', 100, 'facebook story', null],
    ['video/mp4', 100, 'facebook photo', 'A photo post takes photo, not video.'],
    ['application/pdf', 100, 'linkedin document', null],
    [
      'application/vnd.oasis.opendocument.text',
      100,
      'linkedin document',
      'On linkedin, a document must be PDF or Word or PowerPoint 97 or Word or PowerPoint.',
    ],
    [
      'video/mp4',
      70_000,
      'linkedin video',
      'On linkedin, a video must have at least 75 KB; it has 68 KB.',
    ],
  ] as const)('%s of %d bytes for %s: %s', (contentType, bytes, where, reason) => {
    expect(reasonOf(contentType, bytes, where)).toBe(reason);
  });

  it.each([
    [
      'image/png',
      2 * MB,
      'instagram photo',
      'instagram gets a JPEG picture, because a photo must be JPEG.',
    ],
    [
      'image/png',
      6 * MB,
      'twitter photo',
      'twitter gets a smaller picture, because a photo may have at most 5 MB; it has 6 MB.',
    ],
    [
      'image/webp',
      MB,
      'threads carousel',
      'threads gets a JPEG picture, because a photo must be JPEG or PNG.',
    ],
    [
      'image/png',
      MB,
      'tiktok photo',
      'tiktok gets a JPEG picture, because a photo must be JPEG or WebP.',
    ],
    [
      'image/gif',
      MB,
      'bluesky gif',
      'bluesky gets the first frame, because it takes no animations.',
    ],
  ] as const)('%s of %d bytes for %s is converted', (contentType, bytes, where, reason) => {
    const content = { contentType, bytes, size: { width: 500, height: 500 }, video: null };
    const found = mediaValidity(content).find(
      ({ network, type }) => `${network} ${type}` === where,
    );
    expect(found).toMatchObject({ valid: true, converted: true, reason });
  });

  it('a post has the addresses of converted pictures where its network gets those', () => {
    const media = ['med_1', 'med_2', 'med_3'].map((id) =>
      anAttachment({ id, url: `https://gateway.example/media/${id}/t` }),
    );
    const common = { bytes: MB, size: { width: 500, height: 500 }, video: null };
    const mediaFiles: AttachedFile[] = [
      { mediaId: 'med_1', contentType: 'image/jpeg', ...common },
      { mediaId: 'med_2', contentType: 'image/png', ...common },
    ];
    const post = { type: 'carousel' as const, media, mediaFiles };
    expect(sentMedia(post, 'instagram').map(({ url }) => url)).toEqual([
      'https://gateway.example/media/med_1/t',
      'https://gateway.example/media/med_2/t/jpeg',
      'https://gateway.example/media/med_3/t',
    ]);
    expect(sentMedia(post, 'threads')).toEqual(media);
  });

  const VIDEO: MediaContent = {
    contentType: 'video/mp4',
    bytes: 2 * MB,
    size: { width: 1_080, height: 1_920 },
    video: { durationMs: 30_000, videoCodec: 'h264', audioCodec: 'aac', frameRate: 30 },
  };
  /** A video that differs in this. */
  const aVideo = (
    video: Partial<VideoProperties>,
    size: PictureSize | null = VIDEO.size,
  ): MediaContent => ({ ...VIDEO, size, video: { ...VIDEO.video!, ...video } });
  const seconds = (value: number) => aVideo({ durationMs: value * 1_000 });
  const frames = (frameRate: number) => aVideo({ frameRate });
  const sized = (width: number, height: number) => aVideo({}, { width, height });
  const a = (contentType: MediaContentType, width: number, height: number): MediaContent => ({
    contentType,
    bytes: MB,
    size: { width, height },
    video: null,
  });

  /** A file that is taken, one that is beyond the limit, and why. */
  const LIMITS: readonly (readonly [string, MediaContent, MediaContent, string])[] = [
    [
      'instagram reel',
      seconds(3),
      seconds(2.99),
      'a video must last at least 3 seconds; it lasts 2.99',
    ],
    [
      'instagram video',
      seconds(900),
      seconds(900.01),
      'a video must last at most 900 seconds; it lasts 900.01',
    ],
    [
      'instagram story',
      seconds(60),
      seconds(61),
      'a video must last at most 60 seconds; it lasts 61',
    ],
    [
      'instagram reel',
      frames(22.9),
      frames(22),
      'a video must have at least 23 frames per second; it has 22',
    ],
    [
      'instagram reel',
      frames(60.4),
      frames(61),
      'a video must have at most 60 frames per second; it has 61',
    ],
    [
      'instagram reel',
      aVideo({ videoCodec: 'hevc' }),
      aVideo({ videoCodec: 'mpeg4' }),
      'the picture of a video must be H.264 or HEVC; it is MPEG-4 Part 2',
    ],
    [
      'instagram reel',
      aVideo({ audioCodec: null }),
      aVideo({ audioCodec: 'opus' }),
      'the sound of a video must be AAC; it is Opus',
    ],
    [
      'instagram reel',
      aVideo({ videoCodec: null }),
      aVideo({ videoCodec: 'abcd' }),
      'the picture of a video must be H.264 or HEVC; it is abcd',
    ],
    [
      'instagram photo',
      a('image/jpeg', 800, 1_000),
      a('image/jpeg', 798, 1_000),
      'the width of a photo must be at least 0.8 times its height; it has 798 × 1000 pixels',
    ],
    [
      'instagram photo',
      a('image/jpeg', 1_910, 1_000),
      a('image/jpeg', 1_912, 1_000),
      'the width of a photo may be at most 1.91 times its height; it has 1912 × 1000 pixels',
    ],
    [
      'facebook reel',
      seconds(90),
      seconds(90.5),
      'a video must last at most 90 seconds; it lasts 90.5',
    ],
    [
      'facebook reel',
      sized(540, 960),
      sized(539, 960),
      'width and height of a video must be at least 540 pixels; it has 539 × 960 pixels',
    ],
    [
      'facebook reel',
      frames(24),
      frames(23),
      'a video must have at least 24 frames per second; it has 23',
    ],
    [
      'facebook story',
      seconds(60),
      seconds(60.5),
      'a video must last at most 60 seconds; it lasts 60.5',
    ],
    [
      'threads video',
      seconds(300),
      seconds(301),
      'a video must last at most 300 seconds; it lasts 301',
    ],
    [
      'twitter video',
      seconds(140),
      seconds(141),
      'a video must last at most 140 seconds; it lasts 141',
    ],
    [
      'twitter video',
      sized(300, 900),
      sized(299, 900),
      'the long side of a video may be at most 3 times as long as the short side; it has 299 × 900 pixels',
    ],
    [
      'tiktok video',
      sized(4_096, 360),
      sized(4_097, 360),
      'width and height of a video may be at most 4096 pixels; it has 4097 × 360 pixels',
    ],
    [
      'tiktok video',
      seconds(600),
      seconds(601),
      'a video must last at most 600 seconds; it lasts 601',
    ],
    [
      'linkedin video',
      seconds(1_800),
      seconds(1_801),
      'a video must last at most 1800 seconds; it lasts 1801',
    ],
    [
      'linkedin video',
      sized(1_000, 2_400),
      sized(1_000, 2_401),
      'the long side of a video may be at most 2.4 times as long as the short side; it has 1000 × 2401 pixels',
    ],
    [
      'pinterest video',
      seconds(4),
      seconds(3.9),
      'a video must last at least 4 seconds; it lasts 3.9',
    ],
    [
      'bluesky video',
      seconds(180),
      seconds(181),
      'a video must last at most 180 seconds; it lasts 181',
    ],
    [
      'youtube short',
      seconds(180),
      seconds(181),
      'a video must last at most 180 seconds; it lasts 181',
    ],
    [
      'youtube short',
      sized(1_080, 1_080),
      sized(1_082, 1_080),
      'the width of a video may be at most 1 times its height; it has 1082 × 1080 pixels',
    ],
    [
      'youtube short',
      aVideo({}, null),
      sized(1_920, 1_080),
      'the width of a video may be at most 1 times its height; it has 1920 × 1080 pixels',
    ],
  ];
  it.each(LIMITS)('%s: a limit at its value and beyond', (where, taken, beyond, reason) => {
    const reasonFor = (content: MediaContent) =>
      mediaValidity(content).find(({ network, type }) => `${network} ${type}` === where)!.reason;
    expect(reasonFor(taken)).toBeNull();
    expect(reasonFor(beyond)).toBe(`On ${where.split(' ')[0]}, ${reason}.`);
  });
});
