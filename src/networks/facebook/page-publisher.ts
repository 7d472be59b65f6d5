import type { Post } from '../../domain/posts/post.js';
import type {
  LivePost,
  LookResult,
  NetworkFailure,
  SentPost,
} from '../../services/networks/network-ports.js';
import { comparableText } from '../html-text.js';
import { listAt, textAt, valueAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import { NetworkRequestError } from '../http-client/network-response.js';
import { openGraphApi, type GraphParams } from '../meta/graph-api.js';
import { type PublisherDefinition, wasPreparedBefore } from '../publisher.js';
import {
  begin,
  goOn,
  idsOf,
  isVideoPost,
  phasesOf,
  type PageApi,
  type PageHandle,
  pagePath,
  readVideo,
  sendFile,
  sendVideo,
  videoEdgeOf,
  VIDEO_FIELDS,
} from './page-uploads.js';

const LISTED_POSTS = 50;
const LIST_FIELDS =
  'id,message,created_time,permalink_url,attachments{media_type,target,subattachments}';
const CLOCK_TOLERANCE_MS = 10_000;

function toFeedPost({ type, text, url, details }: Post, photos: readonly string[]): GraphParams {
  const attached = photos.map((id, index) => [
    `attached_media[${index}]`,
    JSON.stringify({ media_fbid: id }),
  ]);
  return {
    ...(text !== '' && { message: text }),
    ...(type === 'link' && url !== null && { link: url }),
    ...(type === 'status' &&
      details?.textFormatPresetId && { text_format_preset_id: details.textFormatPresetId }),
    ...(Object.fromEntries(attached) as GraphParams),
    fields: 'id,permalink_url',
  };
}

/** The words of a video. */
const captionOf = ({ text, title }: Post): GraphParams => ({
  ...(title && { title }),
  ...(text !== '' && { description: text }),
});

/** Facebook returns addresses of videos without their host. */
const addressOf = (entry: unknown): string | null => {
  const address = textAt(entry, 'permalink_url') ?? textAt(entry, 'url');
  return address === null ? null : new URL(address, 'https://www.facebook.com').href;
};

function toLivePost({ client }: { client: NetworkClient }, post: unknown): LivePost {
  const remoteId = textAt(post, 'id') ?? client.throwMissing('post ID');
  return { kind: 'live', remoteId, url: addressOf(post) };
}

/** IDs of the photos of a listed post. */
function photosOf(post: unknown): string[] {
  const attachments = listAt(post, 'attachments', 'data');
  return attachments
    .flatMap((one) => {
      const parts = listAt(one, 'subattachments', 'data');
      return parts.length > 0 ? parts : textAt(one, 'media_type') === 'photo' ? [one] : [];
    })
    .map((one) => textAt(one, 'target', 'id') ?? '');
}

/** Photos are of one post only; other posts are compared by their text and kind. */
function isSamePost(listed: unknown, sent: SentPost): boolean {
  const photos = idsOf(sent.handle['photos'] ?? '');
  const listedPhotos = photosOf(listed);
  if (photos.length > 0 && wasPreparedBefore(sent))
    return photos.every((id) => listedPhotos.includes(id));
  return (
    comparableText(textAt(listed, 'message') ?? '') === comparableText(sent.post.text) &&
    listedPhotos.length === sent.post.media.length
  );
}

const isSameVideo = (listed: unknown, { post }: SentPost): boolean =>
  comparableText(textAt(listed, 'description') ?? '') === comparableText(post.text) &&
  // Reels have no title.
  (post.type === 'reel' ||
    comparableText(textAt(listed, 'title') ?? '') === comparableText(post.title ?? ''));

/** A listed entry since the post was sent: the first one that matches. `isWhole`: all are listed. */
async function findListed(
  api: PageApi,
  sent: SentPost,
  list: {
    readonly edge: string;
    readonly fields: string;
    readonly isSame: (listed: unknown, sent: SentPost) => boolean;
  },
): Promise<{ readonly entry: unknown; readonly isWhole: boolean }> {
  const listed = await api.get(`${pagePath(sent.account)}/${list.edge}`, {
    fields: list.fields,
    limit: String(LISTED_POSTS),
  });
  const since = sent.sentAt.getTime() - CLOCK_TOLERANCE_MS;
  const recent = listAt(listed, 'data').filter(
    (one) => Date.parse(textAt(one, 'created_time') ?? '') >= since,
  );
  return {
    entry: recent.findLast((one) => list.isSame(one, sent)),
    isWhole: recent.length < LISTED_POSTS,
  };
}

/** What Facebook says of a post. Failures are thrown. */
type PageAnswer = Exclude<LookResult, NetworkFailure>;

/** What a video tells of its publication; null if it was not asked to be published. */
function resultOf(api: PageApi, video: unknown, { type }: Post): PageAnswer | null {
  const { state, processing, publishing, reason } = phasesOf(video);
  if (state === 'error')
    return {
      kind: 'rejected',
      message: `Facebook could not process the video${reason && `: ${reason}`}.`,
    };
  // The call that creates another video than a reel or story publishes it.
  if (publishing === 'complete' || (type === 'video' && state === 'ready'))
    return toLivePost(api, video);
  const isTaken =
    type === 'video' ||
    state === 'processing' ||
    publishing === 'in_progress' ||
    processing === 'in_progress';
  return isTaken ? { kind: 'processing' } : null;
}

const mediaOf = ({ handle }: SentPost): string[] => [
  ...idsOf(handle['photos'] ?? ''),
  ...idsOf(handle['video'] ?? ''),
];

/** The story with the photo or video of the post, in the list of the page. */
const storyIn = (stories: unknown, sent: SentPost): unknown =>
  listAt(stories, 'data').find((story) => mediaOf(sent).includes(textAt(story, 'media_id') ?? ''));
const STORY_QUERY = { fields: 'post_id,media_id,creation_time,url' };
const storiesOf = ({ account }: SentPost): string => `${pagePath(account)}/stories`;

/** A story is removed by the ID of its post, or by that of its photo or video. */
const toLiveStory = (sent: SentPost, story: unknown): LivePost => ({
  kind: 'live',
  remoteId: textAt(story, 'post_id') ?? mediaOf(sent)[0]!,
  url: addressOf(story),
});

/** The same; a story that is not listed yet has no address. */
async function withAddress(api: PageApi, sent: SentPost, answer: unknown): Promise<LivePost> {
  const stories = await api.getOptional(storiesOf(sent), STORY_QUERY);
  return toLiveStory(sent, storyIn(stories, sent) ?? answer);
}

/** Publishes a photo that no post has had before. If it has one, that is this story. */
async function publishPhotoStory(api: PageApi, sent: SentPost): Promise<LivePost> {
  const [photo] = idsOf(sent.handle['photos']!);
  const answer = await api
    .post(`${pagePath(sent.account)}/photo_stories`, { photo_id: photo! })
    .catch((error: unknown) => {
      const isUsed =
        error instanceof NetworkRequestError && error.failure.code === 'NETWORK_DUPLICATE';
      if (!isUsed) throw error;
      return null;
    });
  return withAddress(api, sent, answer);
}

/** A video whose ID is known. */
async function lookAtVideo(api: PageApi, sent: SentPost): Promise<PageAnswer> {
  const { post, handle } = sent;
  const video = await readVideo(api, handle['video']!);
  const isGone = video === null || ['expired', 'upload_failed'].includes(phasesOf(video).state);
  if (isGone && post.type === 'video')
    return { kind: 'rejected', message: 'Facebook no longer has the video.' };
  // Facebook deletes uploads that are not published.
  if (isGone) return { kind: 'not_there', isCompared: true };
  const result = resultOf(api, video, post) ?? { kind: 'not_there' };
  return result.kind === 'live' && post.type === 'story' ? withAddress(api, sent, null) : result;
}

/** A list of videos or reels that are compared with the post. */
async function compareVideos(api: PageApi, sent: SentPost): Promise<PageAnswer> {
  const { entry, isWhole } = await findListed(api, sent, {
    edge: sent.post.type === 'reel' ? 'video_reels' : 'videos',
    fields: `${VIDEO_FIELDS},title,description,created_time`,
    isSame: isSameVideo,
  });
  if (entry !== undefined) return resultOf(api, entry, sent.post) ?? { kind: 'processing' };
  return isWhole ? { kind: 'not_there', isCompared: true } : { kind: 'cannot_tell' };
}

/** A story, by its photo. Without the photo that was sent, nothing tells it from others. */
async function lookAtPhotoStory(api: PageApi, sent: SentPost): Promise<PageAnswer> {
  if (!wasPreparedBefore(sent)) return { kind: 'cannot_tell' };
  const story = storyIn(await api.get(storiesOf(sent), STORY_QUERY), sent);
  return story === undefined ? { kind: 'not_there' } : toLiveStory(sent, story);
}

/**
 * Publishes posts of pages. Photos and files are uploaded before, without being published. The
 * videos of reels and stories, and the photos of stories, are known by their ID then; after a call
 * without a response, other posts are looked for among the recent ones of the page.
 */
export const pagePublisher = (url: string): PublisherDefinition<'accessToken', PageApi> => ({
  connect: async (client, { accessToken }) => ({
    ...openGraphApi(client, url, accessToken),
    url,
    accessToken,
  }),
  async prepare(api, target, started) {
    const { account, post } = target;
    const handle = (started as PageHandle | null) ?? begin(api);
    if (isVideoPost(post))
      return post.type === 'video' ? sendFile(api, post, handle) : sendVideo(api, target, handle);
    const photos = idsOf(handle.photos);
    const next = post.media[photos.length];
    if (!next) return handle;
    const created = await api.post(`${pagePath(account)}/photos`, {
      url: next.url,
      published: 'false',
      ...(next.altText !== null && { alt_text_custom: next.altText }),
    });
    const id = textAt(created, 'id') ?? api.client.throwMissing('photo ID');
    const more = { ...handle, photos: [...photos, id].join() };
    return photos.length + 1 < post.media.length ? goOn(more) : more;
  },
  async publish(api, sent) {
    const { account, post } = sent;
    const handle = sent.handle as PageHandle;
    const page = pagePath(account);
    if (!isVideoPost(post))
      return post.type === 'story'
        ? publishPhotoStory(api, sent)
        : toLivePost(api, await api.post(`${page}/feed`, toFeedPost(post, idsOf(handle.photos))));
    if (post.type === 'video') {
      const created = await api.post(`${page}/videos`, {
        ...captionOf(post),
        ...(handle.file === ''
          ? { file_url: post.media[0]!.url }
          : { fbuploader_video_file_chunk: handle.file }),
      });
      const video = textAt(created, 'id') ?? api.client.throwMissing('video ID');
      return { kind: 'processing', handle: { ...handle, video } };
    }
    const finished = await api.post(`${page}/${videoEdgeOf(post)}`, {
      upload_phase: 'finish',
      video_id: handle.video,
      video_state: 'PUBLISHED',
      ...(post.type === 'reel' && post.text !== '' && { description: post.text }),
    });
    if (valueAt(finished, 'success') !== true) api.client.throwMissing('success');
    return { kind: 'processing' };
  },
  async look(api, sent) {
    const { post } = sent;
    if (isVideoPost(post)) {
      const isKnown = sent.handle['video'] !== '' && wasPreparedBefore(sent);
      if (isKnown) return lookAtVideo(api, sent);
      return post.type === 'story' ? { kind: 'cannot_tell' } : compareVideos(api, sent);
    }
    if (post.type === 'story') return lookAtPhotoStory(api, sent);
    const { entry, isWhole } = await findListed(api, sent, {
      edge: 'published_posts',
      fields: LIST_FIELDS,
      isSame: isSamePost,
    });
    if (entry !== undefined) return toLivePost(api, entry);
    return { kind: isWhole ? 'not_there' : 'cannot_tell' };
  },
  async remove(api, remoteId) {
    await api.delete(remoteId);
  },
});
