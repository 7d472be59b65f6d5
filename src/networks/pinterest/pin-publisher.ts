import { coverOf, pinterest } from '../../domain/networks/pinterest.js';
import type { PublicationHandle } from '../../domain/networks/network-definition.js';
import type { Attachment } from '../../domain/posts/post-content.js';
import type { Post } from '../../domain/posts/post.js';
import type { FileStream, LivePost, SentPost } from '../../services/networks/network-ports.js';
import { comparableText } from '../html-text.js';
import { textAt, valueAt } from '../http-client/json-path.js';
import type { NetworkClient, RequestOptions } from '../http-client/network-client.js';
import { throwRequestError } from '../http-client/network-response.js';
import { formBody, jsonBody } from '../http-client/upload-body.js';
import { readUploadUrl } from '../http-client/upload-url.js';
import {
  preparedNow,
  processingPauseMs,
  type PublisherDefinition,
  wasPreparedBefore,
} from '../publisher.js';

const BASE_URL = 'https://api.pinterest.com/v5';
/** The hosts of Amazon S3, to which Pinterest has videos uploaded. */
const UPLOAD_HOSTS = /\.amazonaws\.com$/;

/** What a pin is found with. */
interface PinHandle extends PublicationHandle {
  /** IDs of the pins that were like the post before it was sent. */
  readonly known: string;
  /** ID of the uploaded video; empty before the upload, and for pictures. */
  readonly video: string;
}

/** Version 5 of the API, as one account. */
interface PinterestApi {
  readonly client: NetworkClient;
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>;
}

/** Opens the API for an account. */
export const openPinterestApi = (
  client: NetworkClient,
  { accessToken }: { readonly accessToken: string },
): PinterestApi => ({
  client,
  request: (method, path, options) =>
    client.request(method, `${BASE_URL}${path}`, {
      ...options,
      headers: { Authorization: `Bearer ${accessToken}` },
    }),
});

/** Registers a video and uploads it. Returns its ID. */
async function uploadVideo(api: PinterestApi, video: Attachment): Promise<string> {
  const { client } = api;
  const file = await client.openMedia(video);
  const upload = await api.request('POST', '/media', { json: { media_type: 'video' } });
  const id = textAt(upload, 'media_id') ?? client.throwMissing('media ID');
  const url = readUploadUrl(client, valueAt(upload, 'upload_url'), UPLOAD_HOSTS);
  const parameters = valueAt(upload, 'upload_parameters');
  if (typeof parameters !== 'object' || parameters === null)
    client.throwMissing('upload parameters');
  const fields = Object.entries(parameters as Record<string, unknown>);
  // The parameters replace the token, which must not reach another company.
  await client.request('POST', url, {
    body: formBody(Object.fromEntries(fields.map(([name, value]) => [name, String(value)])), [
      { ...file, field: 'file', name: 'video' },
    ]),
  });
  return id;
}

async function isProcessed(api: PinterestApi, video: string): Promise<boolean> {
  const status = textAt(await api.request('GET', `/media/${encodeURIComponent(video)}`), 'status');
  if (status === 'failed')
    throwRequestError('NETWORK_REFUSED', 'Pinterest could not process the video.');
  return status === 'succeeded';
}

/** A picture in a pin; its file is sent as Base64. */
interface EncodedPicture {
  readonly content_type: string;
  readonly data: FileStream;
}

async function openPicture(client: NetworkClient, item: Attachment): Promise<EncodedPicture> {
  const data = await client.openMedia(item);
  const formats: readonly string[] = pinterest.files.photo.formats;
  if (!formats.includes(data.type))
    throwRequestError(
      'NETWORK_REFUSED',
      `Pinterest does not accept the picture: its type is ${data.type || 'unknown'}, and must be JPEG or PNG.`,
    );
  return { content_type: data.type, data };
}

/** What the pin shows: one picture, several, or a video with its cover. */
async function mediaSource(
  client: NetworkClient,
  { type, media, url }: Post,
  { video }: PinHandle,
): Promise<object> {
  const first = media[0]!;
  if (video !== '') {
    const cover = coverOf(first);
    return {
      source_type: 'video_id',
      media_id: video,
      ...(cover === null ? { cover_image_key_frame_time: 0 } : { cover_image_url: cover }),
    };
  }
  if (type !== 'carousel')
    return { source_type: 'image_base64', ...(await openPicture(client, first)) };
  const items: object[] = [];
  for (const item of media)
    items.push({
      ...(await openPicture(client, item)),
      ...(item.title && { title: item.title }),
      ...(url && { link: url }),
    });
  return { source_type: 'multiple_image_base64', items };
}

const toPin = async (client: NetworkClient, { post, handle }: SentPost): Promise<object> => {
  const { boardId, boardSectionId } = post.networkOptions ?? {};
  const altText = post.media[0]!.altText;
  return {
    board_id: boardId,
    ...(boardSectionId && { board_section_id: boardSectionId }),
    ...(post.title && { title: post.title }),
    ...(post.text && { description: post.text }),
    ...(post.url && { link: post.url }),
    ...(altText && { alt_text: altText }),
    media_source: await mediaSource(client, post, handle as PinHandle),
  };
};

/** The maximum of the API. */
const PAGE_SIZE = 250;
const MAX_PAGES = 8;
/**
 * How much older than the attempt a pin may seem: Pinterest shows times without their zone, and
 * clocks differ.
 */
const TIME_TOLERANCE_MS = 14 * 3_600_000;

const createdAt = (pin: unknown): number => {
  const text = textAt(pin, 'created_at') ?? '';
  return Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
};

/** Whether the pins are listed from the newest to the oldest, which is not documented. */
const isNewestFirst = (pins: readonly unknown[]): boolean =>
  pins.every((pin, index) => index === 0 || createdAt(pins[index - 1]) >= createdAt(pin));

/** Pins of the board or section; `isWhole`: all that were created since a time. */
async function listPins(
  api: PinterestApi,
  { networkOptions }: Post,
  since: number,
): Promise<{ readonly pins: readonly unknown[]; readonly isWhole: boolean }> {
  const { boardId, boardSectionId } = networkOptions ?? {};
  const section = boardSectionId ? `/sections/${encodeURIComponent(boardSectionId)}` : '';
  const path = `/boards/${encodeURIComponent(boardId ?? '')}${section}/pins`;
  const pins: unknown[] = [];
  let bookmark: string | null = '';
  for (let page = 0; page < MAX_PAGES && bookmark !== null; page += 1) {
    const query = new URLSearchParams({
      page_size: String(PAGE_SIZE),
      ...(bookmark && { bookmark }),
    });
    const listed = await api.request('GET', `${path}?${query.toString()}`);
    const items = valueAt(listed, 'items');
    if (!Array.isArray(items)) api.client.throwMissing('list of pins');
    pins.push(...(items as unknown[]));
    bookmark = textAt(listed, 'bookmark');
    if (isNewestFirst(pins) && createdAt(pins.at(-1)) < since) return { pins, isWhole: true };
  }
  return { pins, isWhole: bookmark === null };
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  photo: 'image',
  video: 'video',
  carousel: 'multiple_images',
};

/** Whether a pin has the words and the kind of media of the post. */
const isAlike = (pin: unknown, { type, title, text }: Post): boolean =>
  textAt(pin, 'media', 'media_type') === MEDIA_TYPES[type] &&
  comparableText(textAt(pin, 'title') ?? '') === comparableText(title ?? '') &&
  comparableText(textAt(pin, 'description') ?? '') === comparableText(text);

/** Whether it also has the link and the alternative text, which Pinterest may rewrite. */
const isSame = (pin: unknown, { url, media }: Post): boolean =>
  comparableText(textAt(pin, 'link') ?? '') === comparableText(url ?? '') &&
  comparableText(textAt(pin, 'alt_text') ?? '') === comparableText(media[0]?.altText ?? '');

const MAX_KNOWN = 50;

/** What is known of a pin before its video is uploaded. */
async function begin(api: PinterestApi, post: Post): Promise<PinHandle> {
  const since = api.client.http.clock.now().getTime() - TIME_TOLERANCE_MS;
  const { pins } = await listPins(api, post, since);
  const known = pins.filter((pin) => createdAt(pin) >= since && isAlike(pin, post));
  return {
    known: known
      .slice(0, MAX_KNOWN)
      .map((pin) => textAt(pin, 'id'))
      .join(),
    video: '',
    ...preparedNow(api.client),
  };
}

function toLivePost({ client }: PinterestApi, pin: unknown): LivePost {
  const remoteId = textAt(pin, 'id') ?? client.throwMissing('pin ID');
  return { kind: 'live', remoteId, url: `https://www.pinterest.com/pin/${remoteId}/` };
}

/**
 * Publishes pins. Pinterest neither knows keys of its clients nor refuses duplicates: after a call
 * without a response, the pin is looked for on its board.
 */
export const PIN_PUBLISHER: PublisherDefinition<'accessToken', PinterestApi> = {
  connect: async (client, credentials) => openPinterestApi(client, credentials),
  async prepare(api, { post }, started) {
    const handle = (started as PinHandle | null) ?? (await begin(api, post));
    const video = post.media.find(({ type }) => type === 'video');
    if (!video) return handle;
    if (handle.video === '') {
      const uploaded = { ...handle, video: await uploadVideo(api, video) };
      return { kind: 'preparing', handle: uploaded, againInMs: 0 };
    }
    return (await isProcessed(api, handle.video))
      ? handle
      : { kind: 'preparing', handle, againInMs: processingPauseMs(api.client, handle) };
  },
  async publish(api, sent) {
    const body = jsonBody(await toPin(api.client, sent));
    return toLivePost(api, await api.request('POST', '/pins', { body }));
  },
  async look(api, sent) {
    const { post, handle, sentAt } = sent;
    const since = sentAt.getTime() - TIME_TOLERANCE_MS;
    const known = wasPreparedBefore(sent) ? (handle.known ?? '').split(',') : [];
    const { pins, isWhole } = await listPins(api, post, since);
    const alike = pins.filter(
      (pin) =>
        createdAt(pin) >= since && isAlike(pin, post) && !known.includes(textAt(pin, 'id') ?? ''),
    );
    const same = alike.find((pin) => isSame(pin, post));
    if (same !== undefined) return toLivePost(api, same);
    return { kind: isWhole && alike.length === 0 ? 'not_there' : 'cannot_tell' };
  },
  async remove(api, remoteId) {
    await api.request('DELETE', `/pins/${remoteId}`);
  },
};
