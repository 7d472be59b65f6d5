import { commentaryOf, pollQuestionOf, POLL_DURATIONS } from '../../domain/networks/linkedin.js';
import type { PublicationHandle } from '../../domain/networks/network-definition.js';
import type { Attachment } from '../../domain/posts/post-content.js';
import { linkImage, linkOf } from '../../domain/posts/presented-settings.js';
import type { Post } from '../../domain/posts/post.js';
import { NetworkRequestError, throwRequestError } from '../http-client/network-response.js';
import type { FileStream, LivePost, SentPost } from '../../services/networks/network-ports.js';
import { comparableText } from '../html-text.js';
import { listAt, numberAt, textAt, valueAt } from '../http-client/json-path.js';
import { bytesStream, fileBody } from '../http-client/upload-body.js';
import { readUploadUrl } from '../http-client/upload-url.js';
import {
  preparedNow,
  processingPauseMs,
  type PublisherDefinition,
  type StillPreparing,
  wasPreparedBefore,
} from '../publisher.js';
import {
  errorCodeOf,
  openLinkedinApi,
  PUBLISH_ERRORS,
  toLittleText,
  type LinkedinApi,
  type LinkedinCredentials,
} from './linkedin-api.js';

/** What a post is sent and found with. URNs are separated by commas. */
interface PostHandle extends PublicationHandle {
  /** URN of the member or the organization. */
  readonly author: string;
  /** URNs of uploaded files, in the order of the media. */
  readonly files: string;
  /** Those that LinkedIn has not processed yet. */
  readonly processing: string;
  /** URN of the picture of a link; empty if it has none. */
  readonly thumbnail: string;
  /** The video that is being uploaded, as JSON; empty if there is none. */
  readonly upload: string;
}
const urnsOf = (list: string): string[] => (list === '' ? [] : list.split(','));

/** The hosts that take uploads. */
const UPLOAD_HOSTS = /(^|\.)(linkedin|licdn)\.com$/;

/** A kind of file, as LinkedIn's API names it. */
type FileKind = 'image' | 'document' | 'video';
const kindOf = ({ type }: Pick<Attachment, 'type'>): FileKind =>
  type === 'video' || type === 'document' ? type : 'image';
/** The kind that a URN tells. */
const kindOfUrn = (urn: string): FileKind => urn.split(':')[2] as FileKind;

/** Uploads a picture or a document with one request. Returns its URN. */
async function uploadFile(
  api: LinkedinApi,
  owner: string,
  { file, kind }: { file: FileStream; kind: FileKind },
): Promise<string> {
  const opened = await api.request('POST', `/${kind}s?action=initializeUpload`, {
    json: { initializeUploadRequest: { owner } },
  });
  const urn = textAt(opened, 'value', kind) ?? api.client.throwMissing('URN of the upload');
  const url = readUploadUrl(api.client, valueAt(opened, 'value', 'uploadUrl'), UPLOAD_HOSTS);
  await api.client.request('PUT', url, {
    headers: { Authorization: `Bearer ${api.accessToken}` },
    body: fileBody(file),
  });
  return urn;
}

/** A video that is being uploaded in parts. */
interface VideoUpload {
  readonly video: string;
  readonly uploadToken: string;
  /** Unix time in milliseconds. */
  readonly expiresAt: number;
  readonly parts: readonly {
    readonly url: string;
    readonly first: number;
    readonly last: number;
  }[];
  /** What LinkedIn returned for the parts that it has. */
  readonly etags: readonly string[];
}

async function beginVideo(api: LinkedinApi, owner: string, size: number): Promise<VideoUpload> {
  const opened = await api.request('POST', '/videos?action=initializeUpload', {
    json: {
      initializeUploadRequest: {
        owner,
        fileSizeBytes: size,
        uploadCaptions: false,
        uploadThumbnail: false,
      },
    },
  });
  const { client } = api;
  return {
    video: textAt(opened, 'value', 'video') ?? client.throwMissing('URN of the upload'),
    // empty for videos of one part
    uploadToken: textAt(opened, 'value', 'uploadToken') ?? '',
    expiresAt: numberAt(opened, 'value', 'uploadUrlsExpireAt') ?? Infinity,
    parts: listAt(opened, 'value', 'uploadInstructions').map((part) => ({
      url: readUploadUrl(client, valueAt(part, 'uploadUrl'), UPLOAD_HOSTS).href,
      first: numberAt(part, 'firstByte') ?? client.throwMissing('first byte'),
      last: numberAt(part, 'lastByte') ?? client.throwMissing('last byte'),
    })),
    etags: [],
  };
}

/** Parts that are sent before the progress is stored: 4 MB each. */
const PARTS_PER_CALL = 4;

/** Sends the next parts of a video. The address replaces the token. */
async function sendParts(
  { client }: LinkedinApi,
  upload: VideoUpload,
  file: FileStream,
): Promise<VideoUpload> {
  const etags = [...upload.etags];
  for (const { url, first, last } of upload.parts.slice(etags.length).slice(0, PARTS_PER_CALL)) {
    const part = {
      type: 'application/octet-stream',
      size: last - first + 1,
      open: () => file.open({ first, last }),
    };
    const { headers } = await client.send('PUT', url, { body: fileBody(part) });
    etags.push(headers.get('etag')?.replaceAll('"', '') ?? client.throwMissing('ETag'));
  }
  return { ...upload, etags };
}

const statusOf = async (api: LinkedinApi, urn: string): Promise<string | null> =>
  textAt(await api.request('GET', `/${kindOfUrn(urn)}s/${encodeURIComponent(urn)}`), 'status');

/** Ends the upload of a video, unless an earlier call has already ended it. */
async function finishVideo(
  api: LinkedinApi,
  { video, uploadToken, etags }: VideoUpload,
): Promise<void> {
  if ((await statusOf(api, video)) !== 'WAITING_UPLOAD') return;
  await api.request('POST', '/videos?action=finalizeUpload', {
    json: { finalizeUploadRequest: { video, uploadToken, uploadedPartIds: etags } },
  });
}

/** Goes on with the upload of a video, or begins it. */
async function uploadVideo(
  api: LinkedinApi,
  handle: PostHandle,
  item: Attachment,
): Promise<PostHandle> {
  const file = await api.client.openMedia(item);
  const started = handle.upload === '' ? null : (JSON.parse(handle.upload) as VideoUpload);
  const isOpen = started !== null && started.expiresAt > api.client.http.clock.now().getTime();
  const upload = isOpen
    ? await sendParts(api, started, file)
    : await beginVideo(api, handle.author, file.size);
  if (upload.etags.length < upload.parts.length)
    return { ...handle, upload: JSON.stringify(upload) };
  await finishVideo(api, upload);
  return withFile({ ...handle, upload: '' }, upload.video, true);
}

const withFile = (handle: PostHandle, urn: string, isProcessing: boolean): PostHandle => ({
  ...handle,
  files: [...urnsOf(handle.files), urn].join(),
  processing: [...urnsOf(handle.processing), ...(isProcessing ? [urn] : [])].join(),
});

async function uploadNext(
  api: LinkedinApi,
  handle: PostHandle,
  item: Attachment,
): Promise<PostHandle> {
  const file = await api.client.openMedia(item);
  const urn = await uploadFile(api, handle.author, { file, kind: kindOf(item) });
  // Members cannot ask about pictures and documents.
  return withFile(handle, urn, api.organization !== '');
}

/** What follows a file: the next one, or the time that LinkedIn takes to process them. */
const afterFile = (api: LinkedinApi, post: Post, handle: PostHandle): StillPreparing => ({
  kind: 'preparing',
  handle,
  againInMs:
    api.organization === '' && urnsOf(handle.files).length === post.media.length
      ? MEMBER_PAUSE_MS
      : 0,
});

/** The picture of a link that has no media; empty if it cannot be read. */
async function uploadThumbnail(api: LinkedinApi, post: Post, owner: string): Promise<string> {
  const link = post.type === 'link' && post.media.length === 0 ? linkOf(post) : null;
  const url = link && linkImage(link);
  const picture = url ? await api.client.readOptionalPicture(url) : null;
  return picture?.type.startsWith('image/')
    ? uploadFile(api, owner, { file: bytesStream(picture), kind: 'image' })
    : '';
}

async function begin(api: LinkedinApi, post: Post): Promise<PostHandle> {
  const author = await api.findAuthor();
  return {
    author,
    files: '',
    processing: '',
    upload: '',
    thumbnail: await uploadThumbnail(api, post, author),
    ...preparedNow(api.client),
  };
}

/** Members cannot ask whether LinkedIn has processed a picture or a document: that takes seconds. */
const MEMBER_PAUSE_MS = 3_000;

async function isAvailable(api: LinkedinApi, urn: string): Promise<boolean> {
  const status = await statusOf(api, urn);
  if (status === 'PROCESSING_FAILED')
    throwRequestError('NETWORK_REFUSED', `LinkedIn could not process the ${kindOfUrn(urn)}.`);
  return status === 'AVAILABLE';
}

/** What the post shows below its text; null for a text alone. */
function contentOf(post: Post, { files, thumbnail }: PostHandle): object | null {
  const urns = urnsOf(files);
  const [first] = post.media;
  const alt = ({ altText }: Pick<Attachment, 'altText'>) => altText && { altText };
  if (post.type === 'poll')
    return {
      poll: {
        question: pollQuestionOf(post),
        options: post.options.map((text) => ({ text })),
        settings: { duration: POLL_DURATIONS[post.duration ?? 1] },
      },
    };
  const link = post.type === 'link' ? linkOf(post) : null;
  if (link) {
    const picture = urns[0] ?? thumbnail;
    const description = link.description ?? link.originalDescription;
    return {
      article: {
        source: link.url,
        title: link.title ?? link.originalTitle ?? link.url,
        ...(description && { description }),
        ...(picture && { thumbnail: picture }),
      },
    };
  }
  if (!first) return null;
  if (urns.length > 1)
    return {
      multiImage: { images: urns.map((id, index) => ({ id, ...alt(post.media[index]!) })) },
    };
  const title = first.title ?? post.title;
  return {
    media:
      kindOf(first) === 'image'
        ? { id: urns[0], ...alt(first) }
        : {
            id: urns[0],
            ...(first.type === 'document' ? { title: title ?? 'Document' } : title && { title }),
          },
  };
}

function toPost({ post, handle }: SentPost): object {
  const content = contentOf(post, handle as PostHandle);
  return {
    author: handle.author,
    commentary: toLittleText(commentaryOf(post)),
    visibility: post.networkOptions?.visibility ?? 'PUBLIC',
    distribution: {
      feedDistribution: 'MAIN_FEED',
      targetEntities: [],
      thirdPartyDistributionChannels: [],
    },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
    ...(content && { content }),
  };
}

const toLivePost = (urn: string): LivePost => ({
  kind: 'live',
  remoteId: urn,
  url: `https://www.linkedin.com/feed/update/${urn}/`,
});

/** Bits of the number of a URN below its time. */
const URN_TIME_SHIFT = 22n;
/** Differences between the clocks of the service and of LinkedIn. */
const CLOCK_TOLERANCE_MS = 60_000;
/** When a post was created, in milliseconds since 1970: its number contains the time. */
export const timeOfUrn = (urn: string): number =>
  Number(BigInt(urn.split(':').at(-1)!) >> URN_TIME_SHIFT);

/**
 * The post that LinkedIn names as the first one with this content. One from before the attempt is
 * another post, which may be deleted: LinkedIn refuses its content for a day or two.
 * @throws NetworkRequestError NETWORK_DUPLICATE
 */
function readDuplicate(json: unknown, sentAt: Date): LivePost {
  const [urn] = /urn:li:(?:share|ugcPost):\d+/.exec(textAt(json, 'message') ?? '') ?? [];
  if (urn !== undefined && timeOfUrn(urn) >= sentAt.getTime() - CLOCK_TOLERANCE_MS)
    return toLivePost(urn);
  throw new NetworkRequestError({
    kind: 'failed',
    code: 'NETWORK_DUPLICATE',
    message: `LinkedIn refuses the post as a duplicate of ${urn ?? 'an earlier one'}. It also does so for a day or two after that post was deleted.`,
    isUnsent: true,
  });
}

/** The maximum of the API. */
const PAGE_SIZE = 100;
const MAX_PAGES = 3;
/** Differences between clocks, and how much earlier than its request a post may seem. */
const LOOK_TOLERANCE_MS = 120_000;

/** A text as readers see it: LinkedIn may return hashtags as templates. */
const shownText = (commentary: string): string =>
  commentary.replace(/\{hashtag\|\\?#\|([^{}]*)\}/g, '#$1');

function isSamePost(found: unknown, sent: SentPost): boolean {
  const { post, handle } = sent;
  const content = contentOf(post, handle as PostHandle);
  const text = shownText(textAt(found, 'commentary') ?? '');
  const shown = valueAt(found, 'content') ?? null;
  const kind = Object.keys(content ?? {})[0];
  const urn = urnsOf(handle.files ?? '')[0];
  return (
    comparableText(text) === comparableText(commentaryOf(post)) &&
    (kind === undefined ? shown === null : valueAt(shown, kind) !== undefined) &&
    // Uploaded again after a backup was restored, files have other URNs.
    (urn === undefined || !wasPreparedBefore(sent) || JSON.stringify(shown).includes(urn))
  );
}

/** The page's post, among those that were created or changed since it was sent. */
async function findPost(api: LinkedinApi, sent: SentPost): Promise<unknown> {
  const since = sent.sentAt.getTime() - LOOK_TOLERANCE_MS;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({
      q: 'author',
      author: sent.handle.author!,
      count: String(PAGE_SIZE),
      start: String(page * PAGE_SIZE),
      sortBy: 'LAST_MODIFIED',
    });
    const listed = await api.request('GET', `/posts?${query.toString()}`, {
      headers: { 'X-RestLi-Method': 'FINDER' },
    });
    const posts = valueAt(listed, 'elements');
    if (!Array.isArray(posts)) return api.client.throwMissing('list of posts');
    const own = posts.find(
      (post) => (numberAt(post, 'createdAt') ?? 0) >= since && isSamePost(post, sent),
    ) as unknown;
    if (own !== undefined) return own;
    const isRest = (numberAt(posts.at(-1), 'lastModifiedAt') ?? since) < since;
    if (posts.length < PAGE_SIZE || isRest) return null;
  }
  return undefined;
}

/**
 * Publishes posts of members and of pages. Nothing lists the posts of a member: LinkedIn tells
 * whether it has one only by refusing the same request as a duplicate.
 */
export const createPostPublisher = (
  version: string,
): PublisherDefinition<keyof LinkedinCredentials, LinkedinApi> => ({
  guaranteeOf: ({ organization }) => (organization === '' ? 'cannot_tell' : 'compared'),
  connect: async (client, credentials) => openLinkedinApi(client, { credentials, version }),
  async prepare(api, { post }, started) {
    const handle = (started as PostHandle | null) ?? (await begin(api, post));
    const next = post.media[urnsOf(handle.files).length];
    // One file, or some parts of it, a call: what LinkedIn has is stored before more is sent.
    if (next)
      return next.type === 'video'
        ? { kind: 'preparing', handle: await uploadVideo(api, handle, next), againInMs: 0 }
        : afterFile(api, post, await uploadNext(api, handle, next));
    const [waitsFor, ...others] = urnsOf(handle.processing);
    if (waitsFor === undefined) return handle;
    if (!(await isAvailable(api, waitsFor)))
      return { kind: 'preparing', handle, againInMs: processingPauseMs(api.client, handle) };
    const processed = { ...handle, processing: others.join() };
    return others.length === 0 ? processed : { kind: 'preparing', handle: processed, againInMs: 0 };
  },
  async publish(api, sent) {
    const response = await api.send('POST', '/posts', { json: toPost(sent) });
    const urn = response.headers.get('x-restli-id');
    if (response.ok) return urn === null ? api.client.throwMissing('URN') : toLivePost(urn);
    const error: unknown = await response.json();
    if (errorCodeOf(error) === PUBLISH_ERRORS.duplicate) return readDuplicate(error, sent.sentAt);
    throw new NetworkRequestError({
      kind: 'failed',
      code: 'NETWORK_UNAVAILABLE',
      message: 'LinkedIn has not processed the files of the post yet.',
      isUnsent: true,
    });
  },
  async look(api, sent) {
    if (api.organization === '') {
      // The call is repeated only if LinkedIn can be reached.
      await api.findAuthor();
      return { kind: 'repeat' };
    }
    const found = await findPost(api, sent);
    if (found === undefined) return { kind: 'cannot_tell' };
    return found === null
      ? { kind: 'not_there' }
      : toLivePost(textAt(found, 'id') ?? api.client.throwMissing('post ID'));
  },
  async remove(api, remoteId) {
    await api.request('DELETE', `/posts/${encodeURIComponent(remoteId)}`, {
      headers: { 'X-RestLi-Method': 'DELETE' },
    });
  },
});
