import type { PublicationHandle } from '../../domain/networks/network-definition.js';
import { postInfoOf, TIKTOK_INTERACTIONS, type tiktok } from '../../domain/networks/tiktok.js';
import type { Post } from '../../domain/posts/post.js';
import type {
  FileStream,
  LivePost,
  LookResult,
  SentPost,
} from '../../services/networks/network-ports.js';
import { comparableText } from '../html-text.js';
import { listAt, numberAt, textAt, valueAt } from '../http-client/json-path.js';
import { NetworkRequestError, throwRequestError } from '../http-client/network-response.js';
import { fileBody } from '../http-client/upload-body.js';
import { readUploadUrl } from '../http-client/upload-url.js';
import {
  countRestart,
  goOnUploading,
  preparedNow,
  type PublisherDefinition,
  type StillPreparing,
  wasPreparedBefore,
} from '../publisher.js';
import { errorCodeOf, openTiktokApi, UPLOAD_HOSTS, type TiktokApi } from './tiktok-api.js';

/** What TikTok knows of a post before it is published. */
interface PostHandle extends PublicationHandle {
  /** Name of the account in addresses. */
  readonly username: string;
  /** ID of the publication; of photos, TikTok returns it from the call that publishes. */
  readonly publishId: string;
  /** Where the pieces of the video are sent; empty for photos. */
  readonly uploadUrl: string;
  /** Bytes of the video. */
  readonly size: string;
}

/** At least the 5 MB that TikTok asks for, however it counts them. */
const PIECE_BYTES = 5 * 1_048_576;
/** Pieces after which TikTok is asked what it has. */
const PIECES_PER_CALL = 6;
/** TikTok keeps an address for uploads an hour. */
const MAX_UPLOAD_AGE_MS = 50 * 60_000;

/** The pieces of a video: the last one is longer by the rest, and a short video is one piece. */
const piecesOf = (size: number): { readonly size: number; readonly count: number } =>
  size < 2 * PIECE_BYTES
    ? { size, count: 1 }
    : { size: PIECE_BYTES, count: Math.floor(size / PIECE_BYTES) };

const goOn = (handle: PostHandle): StillPreparing => ({ kind: 'preparing', handle, againInMs: 0 });

const ageMs = ({ client }: TiktokApi, { preparedAt = '' }: PublicationHandle): number =>
  client.http.clock.now().getTime() - Date.parse(preparedAt);

/** What a person may publish now, and the name of the account in addresses. */
interface Creator {
  readonly username: string;
  /** Interactions that the person’s settings turn off. */
  readonly disabled: readonly string[];
}

/** Asks, as TikTok demands before each post, what the person may publish. */
async function readCreator(api: TiktokApi, { details }: Post): Promise<Creator> {
  const answer = await api.request('POST', '/post/publish/creator_info/query/');
  const info = valueAt(answer, 'data');
  const levels = listAt(info, 'privacy_level_options').map(String);
  if (levels.length === 0) api.client.throwMissing('privacy levels');
  const privacy = details?.privacy ?? '';
  if (!levels.includes(privacy))
    throwRequestError(
      'NETWORK_REFUSED',
      `TikTok does not let the account publish with the privacy ${privacy || 'that is missing'}, but with ${levels.join(', ')}.`,
    );
  return {
    username: textAt(info, 'creator_username') ?? '',
    disabled: TIKTOK_INTERACTIONS.filter((name) => valueAt(info, `${name}_disabled`) === true),
  };
}

/** Opens the upload of a video, which publishes nothing. */
async function openUpload(api: TiktokApi, post: Post, video: FileStream): Promise<PostHandle> {
  const { username, disabled } = await readCreator(api, post);
  const pieces = piecesOf(video.size);
  const opened = await api.request('POST', '/post/publish/video/init/', {
    json: {
      post_info: postInfoOf(post, disabled),
      source_info: {
        source: 'FILE_UPLOAD',
        video_size: video.size,
        chunk_size: pieces.size,
        total_chunk_count: pieces.count,
      },
    },
  });
  return {
    username,
    publishId: textAt(opened, 'data', 'publish_id') ?? api.client.throwMissing('publish_id'),
    uploadUrl: readUploadUrl(api.client, valueAt(opened, 'data', 'upload_url'), UPLOAD_HOSTS).href,
    size: String(video.size),
    ...preparedNow(api.client),
  };
}

/** Sends a piece. Returns the status of the answer: 206 asks for more, 201 follows the last one. */
async function sendPiece(
  { client }: TiktokApi,
  { uploadUrl, video }: { readonly uploadUrl: string; readonly video: FileStream },
  index: number,
): Promise<number> {
  const pieces = piecesOf(video.size);
  const first = index * pieces.size;
  const last = index + 1 === pieces.count ? video.size - 1 : first + pieces.size - 1;
  const piece = {
    type: video.type,
    size: last - first + 1,
    open: () => video.open({ first, last }),
  };
  const { status } = await client.send('PUT', uploadUrl, {
    headers: { 'Content-Range': `bytes ${first}-${last}/${video.size}` },
    body: fileBody(piece),
  });
  return status;
}

/** What TikTok says of a publication; null if it does not know it. */
async function readStatus(api: TiktokApi, publishId: string): Promise<unknown> {
  const answer = await api.request('POST', '/post/publish/status/fetch/', {
    json: { publish_id: publishId },
  });
  if (errorCodeOf(answer) !== null) return null;
  return valueAt(answer, 'data') ?? api.client.throwMissing('status');
}

const statusOf = (api: TiktokApi, publication: unknown): string =>
  textAt(publication, 'status') ?? api.client.throwMissing('status');

/** Sends the next pieces of the video, all but the last one. */
async function continueUpload(
  api: TiktokApi,
  post: Post,
  { video, handle }: { readonly video: FileStream; readonly handle: PostHandle },
): Promise<PostHandle | StillPreparing> {
  const publication = await readStatus(api, handle.publishId);
  const restart = async () => {
    const count = countRestart(api.client, handle);
    return goOn({ ...(await openUpload(api, post, video)), ...count });
  };
  if (publication === null || statusOf(api, publication) === 'FAILED') return restart();
  const { size, count } = piecesOf(video.size);
  let next = Math.floor((numberAt(publication, 'uploaded_bytes') ?? 0) / size);
  const end = Math.min(next + PIECES_PER_CALL, count - 1);
  for (; next < end; next += 1) {
    const status = await sendPiece(api, { uploadUrl: handle.uploadUrl, video }, next);
    if (status === 403 || status === 404 || status === 410) return restart();
    if (status !== 206) api.client.throwMissing('status 206');
  }
  const { interruptions: _none, ...uninterrupted } = handle;
  return next < count - 1 ? goOn(uninterrupted as PostHandle) : (uninterrupted as PostHandle);
}

const toLivePost = ({ post, handle }: SentPost, id: string | null): LivePost => {
  const kind = post.type === 'video' ? 'video' : 'photo';
  const { username } = handle as PostHandle;
  const url = id && username ? `https://www.tiktok.com/@${username}/${kind}/${id}` : null;
  return { kind: 'live', remoteId: id, url };
};

/** How long an ID of a public post is waited for: TikTok gives it after it has checked the post. */
const MAX_ID_LAG_MS = 600_000;
/** Reasons that a later attempt may not meet. */
const TRANSIENT_REASONS = ['internal', 'video_pull_failed', 'photo_pull_failed'];

/** What TikTok says of a post whose publication it knows. */
function verdictOf(
  api: TiktokApi,
  sent: SentPost,
  publication: unknown,
): Exclude<LookResult, { kind: 'failed' }> {
  const sinceMs = api.client.http.clock.now().getTime() - sent.sentAt.getTime();
  switch (statusOf(api, publication)) {
    case 'PUBLISH_COMPLETE': {
      const [id] = listAt(publication, 'publicaly_available_post_id').map(String);
      const isAwaited = sent.post.details?.privacy === 'PUBLIC_TO_EVERYONE';
      return id === undefined && isAwaited && sinceMs < MAX_ID_LAG_MS
        ? { kind: 'processing' }
        : toLivePost(sent, id ?? null);
    }
    case 'FAILED': {
      const reason = textAt(publication, 'fail_reason') ?? 'no reason';
      return TRANSIENT_REASONS.includes(reason)
        ? { kind: 'not_there', isCompared: true }
        : { kind: 'rejected', message: `TikTok did not publish the post: ${reason}.` };
    }
    case 'PROCESSING_UPLOAD': {
      const bytes = numberAt(publication, 'uploaded_bytes') ?? 0;
      if (bytes >= Number(sent.handle['size'])) return { kind: 'processing' };
      return ageMs(api, sent.handle) < MAX_UPLOAD_AGE_MS
        ? { kind: 'not_there' }
        : { kind: 'not_there', isCompared: true };
    }
    default:
      return { kind: 'processing' };
  }
}

const LISTED_POSTS = 20;
/** Differences between the clocks of the service and of TikTok. */
const CLOCK_TOLERANCE_MS = 120_000;

/**
 * The post among the newest public ones of the account. TikTok lists no others, and asks for a
 * permission of its own: that a post is not listed says nothing.
 */
async function findListed(api: TiktokApi, { post, sentAt }: SentPost) {
  const list = await api.requestOptional(
    'POST',
    '/video/list/?fields=id,create_time,share_url,title,video_description',
    { json: { max_count: LISTED_POSTS } },
  );
  const since = sentAt.getTime() - CLOCK_TOLERANCE_MS;
  const text = comparableText(post.text);
  const found = listAt(list, 'data', 'videos').find(
    (video) =>
      (numberAt(video, 'create_time') ?? 0) * 1_000 >= since &&
      [textAt(video, 'title'), textAt(video, 'video_description')].some(
        (shown) => comparableText(shown ?? '') === text,
      ),
  );
  const remoteId = textAt(found, 'id');
  return remoteId === null
    ? ({ kind: 'cannot_tell' } as const)
    : ({ kind: 'live', remoteId, url: textAt(found, 'share_url') } as const);
}

/**
 * Publishes posts at once, without the app of the person. A video is uploaded in pieces and is
 * public with the last one: until then, nothing is. Its publication has an ID before, by which
 * TikTok tells what became of it. Photos are fetched by TikTok, and the call that publishes them
 * returns the ID: without an answer, nothing tells whether they are there.
 */
export const POST_PUBLISHER: PublisherDefinition<
  keyof typeof tiktok.adapter.credentials,
  TiktokApi
> = {
  connect: async (client, credentials) => openTiktokApi(client, credentials),
  async prepare(api, { post }, started) {
    if (post.type !== 'video') {
      const { username, disabled } = await readCreator(api, post);
      return {
        username,
        disabled: disabled.join(),
        publishId: '',
        uploadUrl: '',
        size: '',
        ...preparedNow(api.client),
      };
    }
    const video = await api.client.openMedia(post.media[0]!);
    const handle = started as PostHandle | null;
    if (handle?.size !== String(video.size) || ageMs(api, handle) > MAX_UPLOAD_AGE_MS) {
      const opened = await openUpload(api, post, video);
      return piecesOf(video.size).count === 1 ? opened : goOn(opened);
    }
    return goOnUploading(handle, () => continueUpload(api, post, { video, handle }));
  },
  async publish(api, { post, handle }) {
    if (post.type !== 'video') {
      const sent = await api.request('POST', '/post/publish/content/init/', {
        json: {
          post_info: postInfoOf(post, handle['disabled']!.split(',')),
          source_info: {
            source: 'PULL_FROM_URL',
            photo_images: post.media.map(({ url }) => url),
            photo_cover_index: 0,
          },
          post_mode: 'DIRECT_POST',
          media_type: 'PHOTO',
        },
      });
      const publishId = textAt(sent, 'data', 'publish_id') ?? api.client.throwMissing('publish_id');
      return { kind: 'processing', handle: { ...handle, publishId } };
    }
    const { uploadUrl } = handle as PostHandle;
    const video = await api.client.openMedia(post.media[0]!);
    const status = await sendPiece(api, { uploadUrl, video }, piecesOf(video.size).count - 1);
    if (status === 403)
      throw new NetworkRequestError({
        kind: 'failed',
        code: 'NETWORK_UNAVAILABLE',
        message: 'TikTok’s address for the upload has expired.',
        isUnsent: true,
      });
    return status === 201 ? { kind: 'processing' } : api.client.throwMissing('status 201');
  },
  async look(api, sent) {
    const { publishId = '' } = sent.handle;
    const isOwn = publishId !== '' && wasPreparedBefore(sent);
    const publication = isOwn ? await readStatus(api, publishId) : null;
    return publication === null ? findListed(api, sent) : verdictOf(api, sent, publication);
  },
};
