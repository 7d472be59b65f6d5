import type { AppClient } from '../../domain/connections/oauth-rules.js';
import type { PublicationHandle } from '../../domain/networks/network-definition.js';
import { videoOf, videoPrivacyOf, type youtube } from '../../domain/networks/youtube.js';
import type { Post } from '../../domain/posts/post.js';
import type { FileStream, LookResult, SentPost } from '../../services/networks/network-ports.js';
import { comparableText } from '../html-text.js';
import { listAt, textAt, valueAt } from '../http-client/json-path.js';
import { NetworkRequestError } from '../http-client/network-response.js';
import { fileBody } from '../http-client/upload-body.js';
import { readUploadUrl } from '../http-client/upload-url.js';
import {
  countRestart,
  goOnUploading,
  preparedNow,
  publicationKey,
  type PublisherDefinition,
  type StillPreparing,
  wasPreparedBefore,
} from '../publisher.js';
import {
  openYoutubeApi,
  reasonOf,
  ROOT_URL,
  secondsToNewQuota,
  UPLOAD_URL,
  type YoutubeApi,
} from './youtube-api.js';

/** An upload that is open at YouTube. */
interface UploadHandle extends PublicationHandle {
  /** Address of the session, which only works with a token of the channel. */
  readonly session: string;
  /** Bytes of the file. */
  readonly size: string;
  /** The name that the file has at YouTube: the same for all attempts at the post. */
  readonly name: string;
}

/** Pieces of a file have a multiple of this size, except the last one. */
const PIECE_UNIT = 262_144;
/** The most that is sent with one request, after which YouTube is asked what it has. */
const MAX_PIECE = 128 * PIECE_UNIT;
const UPLOAD_HOSTS = /(^|\.)googleapis\.com$/;

/** Where the last piece starts, with which the video is there. */
const lastPieceOf = (size: number): number => Math.floor((size - 1) / PIECE_UNIT) * PIECE_UNIT;

const goOn = (handle: UploadHandle): StillPreparing => ({
  kind: 'preparing',
  handle,
  againInMs: 0,
});

/** What YouTube has of an upload. `lost`: the session has ended, whether the video is there or not. */
type Upload =
  | { readonly kind: 'open'; readonly bytes: number }
  | { readonly kind: 'complete'; readonly video: unknown }
  | { readonly kind: 'lost' };

async function readUpload(response: Response): Promise<Upload> {
  const { status, headers } = response;
  if (status === 404 || status === 410) return { kind: 'lost' };
  if (status === 308) {
    const last = /-(\d+)$/.exec(headers.get('range') ?? '')?.[1];
    return { kind: 'open', bytes: last === undefined ? 0 : Number(last) + 1 };
  }
  return { kind: 'complete', video: JSON.parse((await response.text()) || 'null') as unknown };
}

/** Asks YouTube what it has of the file. */
const askUpload = async (
  { client, authorization }: YoutubeApi,
  { session, size }: PublicationHandle,
): Promise<Upload> =>
  readUpload(
    await client.send('PUT', session!, {
      headers: { ...authorization, 'Content-Range': `bytes */${size}` },
    }),
  );

/** Sends the bytes from `first` to `last`. */
const sendPiece = async (
  { client, authorization }: YoutubeApi,
  { handle, file }: { readonly handle: PublicationHandle; readonly file: FileStream },
  { first, last }: { readonly first: number; readonly last: number },
): Promise<Upload> => {
  const piece = {
    type: file.type,
    size: last - first + 1,
    open: () => file.open({ first, last }),
  };
  const headers = { ...authorization, 'Content-Range': `bytes ${first}-${last}/${file.size}` };
  return readUpload(
    await client.send('PUT', handle['session']!, { headers, body: fileBody(piece) }),
  );
};

/** Until when the quota of an OAuth client is used up, by its ID: for all of its accounts. */
type QuotaPauses = Map<string, number>;

function throwQuotaExceeded({ client }: YoutubeApi, until: number): never {
  throw new NetworkRequestError({
    kind: 'failed',
    code: 'NETWORK_RATE_LIMITED',
    message:
      'YouTube takes no more uploads of the OAuth client, whose quota is used up until midnight Pacific Time.',
    retryAfterMs: until - client.http.clock.now().getTime(),
    isUnsent: true,
  });
}

/** Opens an upload with what is known of the video. */
async function openUpload(
  api: YoutubeApi,
  { post, file }: { readonly post: Post; readonly file: FileStream },
  pauses: QuotaPauses,
): Promise<UploadHandle> {
  const now = api.client.http.clock.now();
  const pausedUntil = pauses.get(api.clientId) ?? 0;
  if (pausedUntil > now.getTime()) throwQuotaExceeded(api, pausedUntil);
  const video = videoOf(post);
  const name = `${publicationKey(post)}.mp4`;
  const part = Object.keys(video).join();
  const response = await api.client.send(
    'POST',
    `${UPLOAD_URL}/videos?uploadType=resumable&part=${part}`,
    {
      json: video,
      headers: {
        ...api.authorization,
        'X-Upload-Content-Length': String(file.size),
        'X-Upload-Content-Type': file.type,
        Slug: name,
      },
    },
  );
  if (!response.ok) {
    const until = now.getTime() + secondsToNewQuota(now) * 1_000;
    pauses.set(api.clientId, until);
    throwQuotaExceeded(api, until);
  }
  const session = readUploadUrl(api.client, response.headers.get('location'), UPLOAD_HOSTS).href;
  return { session, size: String(file.size), name, ...preparedNow(api.client) };
}

/** Sends more of the file, up to its last piece. */
async function continueUpload(
  api: YoutubeApi,
  { post, file, handle }: { post: Post; file: FileStream; handle: UploadHandle },
  pauses: QuotaPauses,
): Promise<UploadHandle | StillPreparing> {
  const end = lastPieceOf(file.size);
  let upload = await askUpload(api, handle);
  if (upload.kind === 'open' && upload.bytes < end) {
    const first = upload.bytes;
    const last = Math.min(first + MAX_PIECE, end) - 1;
    upload = await sendPiece(api, { handle, file }, { first, last });
  }
  if (upload.kind === 'lost') {
    const restart = countRestart(api.client, handle);
    return goOn({ ...(await openUpload(api, { post, file }, pauses)), ...restart });
  }
  const { interruptions: _none, ...uninterrupted } = handle;
  return upload.kind === 'open' && upload.bytes < end
    ? goOn(uninterrupted as UploadHandle)
    : (uninterrupted as UploadHandle);
}

const QUERY_LIMIT = 50;
/** Differences between the clocks of the service and of YouTube. */
const CLOCK_TOLERANCE_MS = 120_000;
/** A video that the upload names and no list shows after this time was probably deleted. */
const MAX_LIST_LAG_MS = 3_600_000;

/** The name of a file that the service uploaded, which YouTube may not show. */
const OWN_NAME = /^[\da-f]{64}\.mp4$/;

/** Whether a video is that of the post: by the name of its file, or else by its words. */
function isSameVideo(video: unknown, { post, handle, sentAt }: SentPost): boolean {
  const publishedAt = Date.parse(textAt(video, 'snippet', 'publishedAt') ?? '');
  if (!(publishedAt >= sentAt.getTime() - CLOCK_TOLERANCE_MS)) return false;
  const name = textAt(video, 'fileDetails', 'fileName') ?? '';
  if (OWN_NAME.test(name)) return name === handle['name'];
  const { title, description } = videoOf(post).snippet;
  return (
    comparableText(textAt(video, 'snippet', 'title') ?? '') === comparableText(title) &&
    comparableText(textAt(video, 'snippet', 'description') ?? '') === comparableText(description)
  );
}

const queryOf = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams(values).toString();

async function listVideos(api: YoutubeApi, ids: readonly string[], part: string) {
  const found = await api.request('GET', `/videos?${queryOf({ id: ids.join(), part })}`);
  const items = valueAt(found, 'items');
  return Array.isArray(items) ? (items as unknown[]) : api.client.throwMissing('list of videos');
}

/** The IDs of the newest uploads of the channel. */
async function listUploads(api: YoutubeApi): Promise<readonly string[]> {
  const channels = await api.request('GET', '/channels?mine=true&part=contentDetails');
  const playlistId =
    textAt(channels, 'items', 0, 'contentDetails', 'relatedPlaylists', 'uploads') ??
    api.client.throwMissing('list of uploads');
  const list = await api.request(
    'GET',
    `/playlistItems?${queryOf({ playlistId, part: 'contentDetails', maxResults: String(QUERY_LIMIT) })}`,
  );
  // The list of a channel without videos does not exist.
  if (reasonOf(list) === 'playlistNotFound') return [];
  const items = valueAt(list, 'items');
  if (!Array.isArray(items)) return api.client.throwMissing('list of uploads');
  return items.flatMap((item) => textAt(item, 'contentDetails', 'videoId') ?? []);
}

/** The video of the post among the newest uploads of the channel. */
async function findVideo(
  api: YoutubeApi,
  sent: SentPost,
): Promise<{ readonly video: unknown } | 'not_listed' | 'cannot_tell'> {
  const ids = await listUploads(api);
  if (ids.length === 0) return 'not_listed';
  const videos = await listVideos(api, ids, 'snippet,status,fileDetails');
  const video = videos.find((one) => isSameVideo(one, sent));
  if (video !== undefined) return { video };
  const since = sent.sentAt.getTime() - CLOCK_TOLERANCE_MS;
  const isWhole =
    ids.length < QUERY_LIMIT ||
    videos.some((one) => Date.parse(textAt(one, 'snippet', 'publishedAt') ?? '') < since);
  return isWhole ? 'not_listed' : 'cannot_tell';
}

const urlOf = (id: string, { type }: Pick<Post, 'type'>): string =>
  type === 'short'
    ? `https://www.youtube.com/shorts/${id}`
    : `https://www.youtube.com/watch?v=${id}`;

const THUMBNAIL_TYPES: readonly string[] = ['image/jpeg', 'image/png'];

/**
 * The thumbnail and the playlist of a video, which the post does not need: their failure leaves it
 * published. Both may be done again.
 */
async function addToVideo(api: YoutubeApi, { media, networkOptions }: Post, id: string) {
  const { client, authorization } = api;
  const thumbnail = media[0]?.thumbnails?.real;
  const picture = thumbnail ? await client.readOptionalPicture(thumbnail) : null;
  if (picture && THUMBNAIL_TYPES.includes(picture.type))
    await client.requestOptional(
      'POST',
      `${UPLOAD_URL}/thumbnails/set?${queryOf({ videoId: id, uploadType: 'media' })}`,
      {
        headers: { ...authorization, 'Content-Type': picture.type },
        body: picture.bytes,
      },
    );
  const playlistId = networkOptions?.playlistId;
  if (!playlistId) return;
  const list = (method: string, query: Record<string, string>, json?: object) =>
    client.requestOptional(
      method,
      `${ROOT_URL}youtube/v3/playlistItems?${queryOf({ part: 'snippet', ...query })}`,
      { headers: authorization, ...(json && { json }) },
    );
  const found = await list('GET', { playlistId, videoId: id });
  if (listAt(found, 'items').length === 0)
    await list(
      'POST',
      {},
      {
        snippet: { playlistId, resourceId: { kind: 'youtube#video', videoId: id } },
      },
    );
}

/** What became of a video that YouTube has. */
async function verdictOf(
  api: YoutubeApi,
  { post }: SentPost,
  video: unknown,
): Promise<Exclude<LookResult, { kind: 'failed' }>> {
  const id = textAt(video, 'id') ?? api.client.throwMissing('video ID');
  const status = (name: string): string | null => textAt(video, 'status', name);
  const url = urlOf(id, post);
  const rejected = (message: string): LookResult & { kind: 'rejected' } => ({
    kind: 'rejected',
    message,
  });
  const privacy = videoPrivacyOf(post);
  if (status('privacyStatus') !== privacy)
    return rejected(
      `YouTube made the video ${status('privacyStatus') ?? 'invisible'} instead of ${privacy}, as it does for apps that Google has not audited. It is at ${url}.`,
    );
  switch (status('uploadStatus')) {
    case 'uploaded':
      return { kind: 'processing' };
    case 'processed':
      await addToVideo(api, post, id);
      return { kind: 'live', remoteId: id, url };
    case 'failed':
      return rejected(
        `YouTube could not process the video: ${status('failureReason') ?? 'no reason'}.`,
      );
    case 'rejected':
      return rejected(`YouTube rejected the video: ${status('rejectionReason') ?? 'no reason'}.`);
    case 'deleted':
      return rejected('The video was deleted on YouTube.');
    case null:
    default:
      return api.client.throwMissing('status of the video');
  }
}

/** The video that an upload named when it was complete. */
async function lookAtVideo(api: YoutubeApi, sent: SentPost, upload: unknown) {
  const id = textAt(upload, 'id') ?? api.client.throwMissing('video ID');
  const [video] = await listVideos(api, [id], 'status');
  if (video !== undefined) return verdictOf(api, sent, video);
  const sinceMs = api.client.http.clock.now().getTime() - sent.sentAt.getTime();
  return { kind: sinceMs < MAX_LIST_LAG_MS ? ('processing' as const) : ('cannot_tell' as const) };
}

/**
 * Publishes videos with resumable uploads: all of a file but its last piece is sent before, and the
 * video is there with the last piece. The upload tells afterwards whether that arrived. If the
 * upload has ended, the video is looked for among those of the channel.
 */
export function createVideoPublisher(
  app: AppClient | null,
): PublisherDefinition<keyof typeof youtube.adapter.credentials, YoutubeApi> {
  const pauses: QuotaPauses = new Map();
  return {
    connect: (client, credentials) => openYoutubeApi(client, credentials, app),
    async prepare(api, { post }, started) {
      const file = await api.client.openMedia(post.media[0]!);
      const handle = started as UploadHandle | null;
      if (handle?.size !== String(file.size)) {
        const opened = await openUpload(api, { post, file }, pauses);
        return lastPieceOf(file.size) === 0 ? opened : goOn(opened);
      }
      return goOnUploading(handle, () => continueUpload(api, { post, file, handle }, pauses));
    },
    async publish(api, { post, handle }) {
      const file = await api.client.openMedia(post.media[0]!);
      const piece = { first: lastPieceOf(file.size), last: file.size - 1 };
      const upload = await sendPiece(api, { handle, file }, piece);
      if (upload.kind !== 'complete') return api.client.throwMissing('video');
      if (textAt(upload.video, 'id') === null) api.client.throwMissing('video ID');
      return { kind: 'processing' };
    },
    async look(api, sent) {
      const upload = wasPreparedBefore(sent) ? await askUpload(api, sent.handle) : null;
      if (upload?.kind === 'complete') return lookAtVideo(api, sent, upload.video);
      if (upload?.kind === 'open')
        return upload.bytes < lastPieceOf(Number(sent.handle['size']))
          ? { kind: 'not_there', isCompared: true }
          : { kind: 'not_there' };
      const found = await findVideo(api, sent);
      if (found === 'cannot_tell') return { kind: 'cannot_tell' };
      return found === 'not_listed'
        ? { kind: 'not_there', isCompared: true }
        : verdictOf(api, sent, found.video);
    },
    async remove(api, remoteId) {
      await api.request('DELETE', `/videos?${queryOf({ id: remoteId })}`);
    },
  };
}
