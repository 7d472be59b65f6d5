import { enumKeys, type PostType } from '../../../src/domain/enums.js';
import { isVideo, MEDIA_CONTENT_TYPES, MEGABYTE } from '../../../src/domain/media/media-content.js';
import type { MediaContent } from '../../../src/domain/media/media-file.js';
import { mediaValidity } from '../../../src/domain/media/media-validity.js';
import { NETWORKS, type Network } from '../../../src/domain/networks/networks.js';
import { anAttachment } from '../../fixtures/posts.js';
import type { Account, Post } from '../../../src/domain/posts/post.js';
import { needsMedia, type Media } from '../../../src/domain/posts/post-content.js';
import { forAllTests } from '../../fixtures/lifecycle.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { resultsOf } from '../../fixtures/services.js';

const publishing = withPublishing();
const by = forAllTests(() => publishing.aViewer());
const accounts = forAllTests(async () => {
  const created: Partial<Record<Network, Account>> = {};
  for (const network of enumKeys(NETWORKS))
    created[network] = await publishing.aSandboxAccount(by, { network });
  return created as Record<Network, Account>;
});

const [SMALL, LARGE] = [
  { width: 600, height: 300 },
  { width: 9_000, height: 300 },
];
const UPRIGHT = { width: 1_080, height: 1_920 };
const UNKNOWN = { durationMs: null, videoCodec: null, audioCodec: null, frameRate: null };
const VIDEO = { durationMs: 20_000, videoCodec: 'h264', audioCodec: 'aac', frameRate: 29.97 };
const LONG = { ...VIDEO, durationMs: 2_400_000 };
const SLOW = { durationMs: 500, videoCodec: 'mpeg4', audioCodec: 'mp3', frameRate: 12 };
/** Files of each format, and some that are too large for some networks. */
const FILES: readonly MediaContent[] = [
  ...enumKeys(MEDIA_CONTENT_TYPES).map((contentType) => ({
    contentType,
    bytes: 1_000,
    size: contentType.startsWith('image/') ? SMALL : null,
    video: isVideo(contentType) ? UNKNOWN : null,
  })),
  { contentType: 'image/jpeg', bytes: 24 * MEGABYTE, size: SMALL, video: null },
  { contentType: 'image/png', bytes: 1_000, size: LARGE, video: null },
  { contentType: 'video/mp4', bytes: 24 * MEGABYTE, size: null, video: UNKNOWN },
  { contentType: 'video/mp4', bytes: 120 * MEGABYTE, size: null, video: UNKNOWN },
  { contentType: 'video/mp4', bytes: MEGABYTE, size: UPRIGHT, video: VIDEO },
  { contentType: 'video/mp4', bytes: MEGABYTE, size: UPRIGHT, video: LONG },
  { contentType: 'video/mp4', bytes: MEGABYTE, size: LARGE, video: SLOW },
];
const PAIRS = enumKeys(NETWORKS).flatMap((network) =>
  NETWORKS[network].postTypes
    .filter(needsMedia)
    .map((type): readonly [Network, PostType] => [network, type]),
);

/** A media item with its file. */
async function aFile({ contentType, bytes, size, video }: MediaContent): Promise<Media> {
  const { type } = MEDIA_CONTENT_TYPES[contentType];
  const media = await publishing.aMedia({ workspaceId: by.workspace.id, type });
  await publishing.sql(
    "INSERT INTO media_file (media_id, status, token, storage_key, content_type, bytes, width, height, duration_ms, video_codec, audio_codec, frame_rate) VALUES ($1, 'ready', 't', $1, $2, $3, $4, $5, $6, $7, $8, $9)",
    media.id,
    contentType,
    bytes,
    size?.width ?? null,
    size?.height ?? null,
    video?.durationMs ?? null,
    video?.videoCodec ?? null,
    video?.audioCodec ?? null,
    video?.frameRate ?? null,
  );
  return media;
}

/** By network and type, why the file is not taken; null if it is. */
type Reasons = readonly (readonly [Network, PostType, string | null])[];
const validity = (content: MediaContent): Reasons =>
  mediaValidity(content).map(({ network, type, valid, reason }) => [
    network,
    type,
    valid ? null : reason,
  ]);
const PREFIX = 'media.0 cannot be published: ';

async function creation(media: readonly Media[], day: number, dryRun: boolean): Promise<Reasons> {
  const outcome = await publishing.create(
    by,
    {
      scheduledAt: new Date(Math.floor(Date.now() / 1_000) * 1_000 + day * 2 * 86_400_000),
      targets: PAIRS.map(([network, type]) => ({
        accountId: accounts[network].id,
        scheduledAt: null,
        post: {
          type,
          media: media.slice(0, type === 'carousel' ? 2 : 1).map(({ id }) => ({ id })),
          title: 'Title',
          ...(network === 'pinterest' && { networkOptions: { boardId: '1' } }),
          ...(network === 'tiktok' && { details: { privacy: 'SELF_ONLY' } }),
        },
      })),
    },
    { dryRun },
  );
  return resultsOf(outcome).map(({ refusals }, index) => {
    const message = refusals.find(({ path }) => path.at(-2) === 'media')?.message ?? null;
    expect(refusals.filter(({ path }) => path.at(-2) !== 'media')).toEqual([]);
    return [...PAIRS[index]!, message && message.replace(PREFIX, '')] as const;
  });
}

async function publication(media: readonly Media[]): Promise<Reasons> {
  const posts: Post[] = [];
  for (const [network, type] of PAIRS)
    posts.push(
      await publishing.aDuePost({
        by,
        account: accounts[network],
        type,
        title: 'Title',
        media: media.slice(0, type === 'carousel' ? 2 : 1).map((item) => anAttachment(item)),
        networkOptions: { boardId: '1' },
        ...(network === 'tiktok' && { details: { privacy: 'SELF_ONLY' } }),
      }),
    );
  for (let runs = 0; runs < 20; runs += 1) {
    await publishing.sweep();
    await publishing.runJobs();
  }
  return Promise.all(
    posts.map(async (post, index) => {
      const record = await publishing.publicationOf(by, post);
      const message = record?.error?.message ?? null;
      const found = message && /media\.0 cannot be published: (.*?\.)(?: media\.1|$)/.exec(message);
      expect(record?.status).toBe(message ? 'failed' : 'published');
      return [...PAIRS[index]!, found ? found[1]! : message] as const;
    }),
  );
}

const sorted = (reasons: Reasons): string[] => reasons.map((one) => one.join(' ')).sort();

test.each(
  FILES.map((file, index) => [`${index}. ${file.contentType} of ${file.bytes} bytes`, file, index]),
)('%s: what the upload says binds dry run and creation', async (_name, file, index) => {
  const content = file as MediaContent;
  const media = [await aFile(content), await aFile(content)];
  const expected = sorted(validity(content));
  expect(sorted(await creation(media, (index as number) + 1, true))).toEqual(expected);
  expect(sorted(await creation(media, (index as number) + 1, false))).toEqual(expected);
});

test.each([
  { contentType: 'image/png', bytes: 1_000, size: SMALL, video: null },
  { contentType: 'video/x-matroska', bytes: 1_000, size: null, video: UNKNOWN },
  { contentType: 'video/mp4', bytes: MEGABYTE, size: UPRIGHT, video: LONG },
] as const)('what the upload says of $contentType binds publication', async (content) => {
  const media = [await aFile(content), await aFile(content)];
  expect(sorted(await publication(media))).toEqual(sorted(validity(content)));
});
