import { wholeTextOf } from '../../domain/networks/network-definition.js';
import type { PublicationHandle } from '../../domain/networks/network-definition.js';
import type { Attachment, MediaType } from '../../domain/posts/post-content.js';
import type { Post } from '../../domain/posts/post.js';
import type { FileStream, LivePost, SentPost } from '../../services/networks/network-ports.js';
import { comparableText, decodeEntities } from '../html-text.js';
import { listAt, numberAt, textAt } from '../http-client/json-path.js';
import type { NetworkClient, RequestOptions } from '../http-client/network-client.js';
import { throwRequestError } from '../http-client/network-response.js';
import { formBody } from '../http-client/upload-body.js';
import {
  preparedNow,
  processingPauseMs,
  type PublisherDefinition,
  type StillPreparing,
  wasPreparedBefore,
} from '../publisher.js';

const URL = 'https://api.x.com/2';

/** The API of X, called as one of its users. */
interface XApi {
  readonly client: NetworkClient;
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>;
}

/** Opens the API with the token of a user. */
export const openXApi = (
  client: NetworkClient,
  { accessToken }: { readonly accessToken: string },
): XApi => ({
  client,
  request: (method, path, options = {}) =>
    client.request(method, `${URL}${path}`, {
      ...options,
      headers: { Authorization: `Bearer ${accessToken}`, ...options.headers },
    }),
});

/** What X has got of the files of a post. */
interface PostHandle extends PublicationHandle {
  /** IDs of the uploaded files, in their order. */
  readonly media: string;
  /** Those that X has not processed yet. */
  readonly processing: string;
  /** ID of the file that is being uploaded; empty if none is. */
  readonly uploading: string;
  /** How many pieces of it X has, or ALL_PIECES. */
  readonly pieces: string;
}

const ALL_PIECES = 'all';
const PIECE_BYTES = 4 * 1_048_576;
/** Pieces after which the progress of an upload is stored. */
const STORED_PIECES = 8;
/** X deletes files that no post uses after 24 hours. */
const MAX_HANDLE_AGE_MS = 23 * 3_600_000;
const CATEGORIES: Readonly<Partial<Record<MediaType, string>>> = {
  photo: 'tweet_image',
  gif: 'tweet_gif',
  video: 'tweet_video',
};

const idsOf = (list: string): string[] => (list === '' ? [] : list.split(','));
const goOn = (handle: PostHandle, againInMs = 0): StillPreparing => ({
  kind: 'preparing',
  handle,
  againInMs,
});

const begin = (client: NetworkClient): PostHandle => ({
  media: '',
  processing: '',
  uploading: '',
  pieces: '0',
  ...preparedNow(client),
});

/** A handle whose files X still has: an upload that took longer than a day begins anew. */
function usable(client: NetworkClient, started: PublicationHandle | null): PostHandle {
  const handle = (started as PostHandle | null) ?? begin(client);
  const ageMs = client.http.clock.now().getTime() - Date.parse(handle['preparedAt']!);
  return ageMs > MAX_HANDLE_AGE_MS ? begin(client) : handle;
}

async function startUpload(api: XApi, item: Attachment): Promise<string> {
  const { type, size } = await api.client.openMedia(item);
  const started = await api.request('POST', '/media/upload/initialize', {
    json: { media_type: type, total_bytes: size, media_category: CATEGORIES[item.type] },
  });
  return textAt(started, 'data', 'id') ?? api.client.throwMissing('media ID');
}

/** A piece of a file, which is read while it is sent. */
function pieceOf({ type, size, open }: FileStream, index: number): FileStream {
  const first = index * PIECE_BYTES;
  const last = Math.min(first + PIECE_BYTES, size) - 1;
  return { type, size: last - first + 1, open: () => open({ first, last }) };
}

/** Sends the next pieces of the file that is being uploaded. Returns `pieces` of the handle then. */
async function sendPieces(api: XApi, item: Attachment, handle: PostHandle): Promise<string> {
  const file = await api.client.openMedia(item);
  const count = Math.ceil(file.size / PIECE_BYTES);
  const first = Number(handle.pieces);
  const end = Math.min(first + STORED_PIECES, count);
  for (let index = first; index < end; index += 1)
    await api.request('POST', `/media/upload/${handle.uploading}/append`, {
      body: formBody({ segment_index: String(index) }, [
        { ...pieceOf(file, index), field: 'media', name: 'piece' },
      ]),
    });
  return end < count ? String(end) : ALL_PIECES;
}

/** Ends an upload, with the description of the file. Returns the handle with it. */
async function endUpload(api: XApi, item: Attachment, handle: PostHandle): Promise<PostHandle> {
  const id = handle.uploading;
  const ended = await api.request('POST', `/media/upload/${id}/finalize`);
  if (item.altText !== null && item.type !== 'video')
    await api.request('POST', '/media/metadata', {
      json: { id, metadata: { alt_text: { text: item.altText } } },
    });
  const isProcessed = textAt(ended, 'data', 'processing_info', 'state') === null;
  return {
    ...handle,
    media: [...idsOf(handle.media), id].join(),
    processing: isProcessed ? handle.processing : [...idsOf(handle.processing), id].join(),
    uploading: '',
    pieces: '0',
  };
}

/** Asks whether X has processed a file. Returns the seconds after which to ask again, or null. */
async function secondsToWait(api: XApi, id: string): Promise<number | null> {
  const status = await api.request('GET', `/media/upload?command=STATUS&media_id=${id}`);
  const state = textAt(status, 'data', 'processing_info', 'state') ?? 'succeeded';
  if (state === 'failed')
    throwRequestError('NETWORK_REFUSED', 'X could not process a media item of the post.');
  if (state === 'succeeded') return null;
  return numberAt(status, 'data', 'processing_info', 'check_after_secs') ?? 1;
}

const MINUTES_PER_DAY = 1_440;

function toTweet(post: Post, mediaIds: readonly string[]): object {
  const { text } = wholeTextOf(post);
  const replies = post.networkOptions?.replySettings ?? 'everyone';
  return {
    ...(text !== '' && { text }),
    ...(mediaIds.length > 0 && { media: { media_ids: mediaIds } }),
    ...(post.type === 'poll' && {
      poll: {
        options: post.options,
        duration_minutes: (post.duration ?? 1) * MINUTES_PER_DAY,
      },
    }),
    ...(replies !== 'everyone' && { reply_settings: replies }),
    ...(post.details?.paid && { paid_partnership: true }),
  };
}

const toLivePost = (remoteId: string): LivePost => ({
  kind: 'live',
  remoteId,
  url: `https://x.com/i/web/status/${remoteId}`,
});

/** The text of a listed post, with its links as they were sent, and without those of its media. */
function textOfListed(tweet: unknown): string {
  const source = listAt(tweet, 'note_tweet', 'entities', 'urls');
  const urls = source.length > 0 ? source : listAt(tweet, 'entities', 'urls');
  const text = textAt(tweet, 'note_tweet', 'text') ?? textAt(tweet, 'text') ?? '';
  return decodeEntities(
    urls.reduce<string>((shown, url) => {
      const isOfMedia = textAt(url, 'media_key') !== null;
      const written = isOfMedia ? '' : (textAt(url, 'expanded_url') ?? '');
      return shown.replaceAll(textAt(url, 'url') ?? '\0', () => written);
    }, text),
  );
}

/** Whether a listed post has the files of the post, which no other one can have. */
function hasFiles(tweet: unknown, media: readonly string[]): boolean {
  const keys = listAt(tweet, 'attachments', 'media_keys').map((key) => String(key).split('_')[1]);
  return media.length > 0 && media.every((id) => keys.includes(id));
}

function isSamePost(tweet: unknown, sent: SentPost): boolean {
  const { post, handle } = sent;
  const media = idsOf(handle['media'] ?? '');
  if (media.length > 0 && wasPreparedBefore(sent)) return hasFiles(tweet, media);
  const isPoll = listAt(tweet, 'attachments', 'poll_ids').length > 0;
  return (
    comparableText(textOfListed(tweet)) === comparableText(wholeTextOf(post).text) &&
    listAt(tweet, 'attachments', 'media_keys').length === post.media.length &&
    isPoll === (post.type === 'poll')
  );
}

const CLOCK_TOLERANCE_MS = 10_000;
const LISTED_POSTS = 20;

/** What a look asks for. X charges for each post that it lists. */
const lookQuery = (since: Date): string =>
  new URLSearchParams({
    start_time: `${since.toISOString().slice(0, 19)}Z`,
    max_results: String(LISTED_POSTS),
    expansions: 'attachments.media_keys,attachments.poll_ids',
    'tweet.fields': 'attachments,created_at,entities,note_tweet',
  }).toString();

/**
 * Publishes posts. X takes no key: after a call without a response, the post is looked for among
 * the recent ones of the account, by its files, or else by its text.
 */
export const POST_PUBLISHER: PublisherDefinition<'accessToken', XApi> = {
  connect: async (client, credentials) => openXApi(client, credentials),
  async prepare(api, { post }, started) {
    const handle = usable(api.client, started);
    const item = post.media[idsOf(handle.media).length];
    if (item && handle.uploading === '')
      return goOn({ ...handle, uploading: await startUpload(api, item), pieces: '0' });
    if (item && handle.pieces !== ALL_PIECES)
      return goOn({ ...handle, pieces: await sendPieces(api, item, handle) });
    if (item) {
      const more = await endUpload(api, item, handle);
      const isLast = idsOf(more.media).length === post.media.length;
      return isLast && more.processing === '' ? more : goOn(more);
    }
    const [waitsFor, ...others] = idsOf(handle.processing);
    if (waitsFor === undefined) return handle;
    const seconds = await secondsToWait(api, waitsFor);
    if (seconds !== null)
      return goOn(handle, Math.max(seconds * 1_000, processingPauseMs(api.client, handle)));
    const left = { ...handle, processing: others.join() };
    return others.length > 0 ? goOn(left) : left;
  },
  async publish(api, { post, handle }) {
    const created = await api.request('POST', '/tweets', {
      json: toTweet(post, idsOf(handle['media']!)),
    });
    return toLivePost(textAt(created, 'data', 'id') ?? api.client.throwMissing('post ID'));
  },
  async look(api, sent) {
    const { account, sentAt } = sent;
    const since = new Date(sentAt.getTime() - CLOCK_TOLERANCE_MS);
    const user = encodeURIComponent(account.socialId);
    const list = await api.request('GET', `/users/${user}/tweets?${lookQuery(since)}`);
    const tweet = listAt(list, 'data').findLast((one) => isSamePost(one, sent));
    if (tweet !== undefined)
      return toLivePost(textAt(tweet, 'id') ?? api.client.throwMissing('post ID'));
    const isCut = textAt(list, 'meta', 'next_token') !== null;
    if (!isCut && numberAt(list, 'meta', 'result_count') === null)
      api.client.throwMissing('number of posts');
    return { kind: isCut ? 'cannot_tell' : 'not_there' };
  },
  async remove(api, remoteId) {
    await api.request('DELETE', `/tweets/${remoteId}`);
  },
};
