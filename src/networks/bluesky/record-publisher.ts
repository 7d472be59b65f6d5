import {
  bluesky,
  MAX_CARD_PICTURE_BYTES,
  recordTextOf,
  type RecordText,
} from '../../domain/networks/bluesky.js';
import type { PictureSize } from '../../domain/media/media-file.js';
import { bytesStream, fileBody } from '../http-client/upload-body.js';
import type { Media } from '../../domain/posts/post-content.js';
import type {
  ConvertPicture,
  FileContent,
  FileStream,
  LivePost,
  SentPost,
  SizedPicture,
} from '../../services/networks/network-ports.js';
import { throwRequestError } from '../http-client/network-response.js';
import { textAt, valueAt } from '../http-client/json-path.js';
import type { PublisherDefinition } from '../publisher.js';
import {
  openBlueskyApi,
  RESOLVE_HANDLE,
  type BlueskyApi,
  type BlueskyCredentials,
  type BlueskySessions,
} from './bluesky-api.js';
import { createHash } from 'node:crypto';
import type { Post } from '../../domain/posts/post.js';
import { linkImage, linkOf } from '../../domain/posts/presented-settings.js';

const COLLECTION = 'app.bsky.feed.post';
const REPO = 'com.atproto.repo';
/** The record key, and what the record refers to, as JSON. */
interface RecordHandle {
  readonly rkey: string;
  readonly createdAt: string;
  readonly mentions: string;
  readonly files: string;
  readonly cardPicture: string;
}

const toLivePost = (did: string, rkey: string): LivePost => ({
  kind: 'live',
  remoteId: `at://${did}/${COLLECTION}/${rkey}`,
  url: `https://bsky.app/profile/${did}/post/${rkey}`,
});

async function uploadBlob(api: BlueskyApi, file: FileStream): Promise<BlobReference> {
  const uploaded = await api.call(`${REPO}.uploadBlob`, { body: fileBody(file) });
  const blob = valueAt(uploaded, 'blob');
  return typeof blob === 'object' && blob !== null
    ? (blob as BlobReference)
    : api.client.throwMissing('blob');
}

/** The picture as the network takes it, with its size if it can be decoded. */
async function fitPicture(
  { client }: BlueskyApi,
  picture: FileContent,
  limits: Parameters<ConvertPicture>[1],
): Promise<SizedPicture | null> {
  const { maxBytes } = limits;
  try {
    return await client.http.convertPicture(picture, limits);
  } catch {
    // a format that only the network can decode
    return picture.bytes.length <= maxBytes ? { ...picture, size: null } : null;
  }
}

async function uploadPicture(
  api: BlueskyApi,
  media: Media,
  maxBytes: number,
): Promise<UploadedFile> {
  const original = await api.client.readMedia(media);
  if (!original.type.startsWith('image/'))
    throwRequestError(
      'NETWORK_REFUSED',
      `Bluesky does not accept the picture: its type is ${original.type || 'unknown'}.`,
    );
  const picture = await fitPicture(api, original, { maxBytes, keepsAnimations: false });
  if (!picture)
    throwRequestError(
      'NETWORK_REFUSED',
      `Bluesky does not accept the picture: it has ${original.bytes.length} bytes, the maximum is ${maxBytes}, and it cannot be converted.`,
    );
  return { blob: await uploadBlob(api, bytesStream(picture)), size: picture.size };
}

/** The files of a post in its order: pictures, or one video. */
async function uploadFiles(api: BlueskyApi, post: Post): Promise<UploadedFile[]> {
  const maxBytes = post.type === 'link' ? MAX_CARD_PICTURE_BYTES : bluesky.files.photo.maxBytes;
  const files: UploadedFile[] = [];
  for (const item of post.media)
    files.push(
      item.type === 'video'
        ? { blob: await uploadBlob(api, await api.client.openMedia(item)), size: null }
        : await uploadPicture(api, item, maxBytes),
    );
  return files;
}

/** The picture on the card of a link; null if it has none, or none that can be read. */
async function uploadCardPicture(api: BlueskyApi, post: Post): Promise<BlobReference | null> {
  const link = post.type === 'link' && post.media.length === 0 ? linkOf(post) : null;
  const url = link && linkImage(link);
  const picture = url ? await api.client.readOptionalPicture(url) : null;
  if (!picture?.type.startsWith('image/')) return null;
  const limits = { maxBytes: MAX_CARD_PICTURE_BYTES, keepsAnimations: false };
  const fitted = await fitPicture(api, picture, limits);
  return fitted && uploadBlob(api, bytesStream(fitted));
}

/** IDs of the accounts that a text mentions, by handle; without those that do not exist. */
async function findMentions(
  api: BlueskyApi,
  { features }: RecordText,
): Promise<Record<string, string>> {
  const mentions: Record<string, string> = {};
  for (const { kind, value: handle } of features) {
    if (kind !== 'mention' || handle in mentions) continue;
    const did = await resolveHandle(api, handle);
    if (did !== null) mentions[handle] = did;
  }
  return mentions;
}

async function resolveHandle(api: BlueskyApi, handle: string): Promise<string | null> {
  return textAt(await api.query(RESOLVE_HANDLE, { handle }), 'did');
}

/**
 * Publishes posts as records with keys of their own. The network creates a record only if the key
 * is free, so that the same call can be repeated.
 */
export const createRecordPublisher = (
  sessions: BlueskySessions,
): PublisherDefinition<keyof BlueskyCredentials, BlueskyApi> => ({
  connect: (client, credentials) => openBlueskyApi(client, { sessions, credentials }),
  async prepare(api, { post }) {
    const now = api.client.http.clock.now();
    const handle: RecordHandle = {
      rkey: recordKeyOf(post, post.scheduledAt ?? now),
      createdAt: now.toISOString(),
      mentions: JSON.stringify(await findMentions(api, recordTextOf(post))),
      files: JSON.stringify(await uploadFiles(api, post)),
      cardPicture: JSON.stringify(await uploadCardPicture(api, post)),
    };
    return { ...handle };
  },
  async publish(api, sent) {
    const rkey = sent.handle.rkey!;
    const put = await api.call(`${REPO}.putRecord`, {
      // swapRecord null: only if there is no record with this key.
      json: {
        repo: api.did,
        collection: COLLECTION,
        rkey,
        record: recordOf(sent),
        swapRecord: null,
      },
    });
    // InvalidSwap: an earlier call with this key has created the record.
    if (textAt(put, 'uri') === null && textAt(put, 'error') !== 'InvalidSwap')
      api.client.throwMissing('URI');
    return toLivePost(api.did, rkey);
  },
  async look(api, { handle: { rkey } }) {
    const found = await api.query(`${REPO}.getRecord`, {
      repo: api.did,
      collection: COLLECTION,
      rkey: rkey!,
    });
    if (textAt(found, 'error') === 'RecordNotFound') return { kind: 'not_there' };
    return textAt(found, 'uri') === null
      ? api.client.throwMissing('URI')
      : toLivePost(api.did, rkey!);
  },
  async remove(api, remoteId) {
    const [, did, rkey] = bluesky.adapter.remoteId.exec(remoteId)!;
    if (did !== api.did)
      throwRequestError('NETWORK_POST_UNKNOWN', `${remoteId} is a post of another account.`);
    await api.call(`${REPO}.deleteRecord`, {
      json: { repo: did, collection: COLLECTION, rkey },
    });
  },
});

const recordOf = ({ post, handle }: SentPost): object =>
  toPostRecord(post, {
    createdAt: handle.createdAt!,
    mentions: JSON.parse(handle.mentions!) as Record<string, string>,
    files: JSON.parse(handle.files!) as UploadedFile[],
    cardPicture: JSON.parse(handle.cardPicture!) as BlobReference | null,
  });

const ALPHABET = '234567abcdefghijklmnopqrstuvwxyz';
const CHARACTERS = 13;
const BITS_PER_CHARACTER = 5n;
const CLOCK_ID_BITS = 10n;
const MICROSECONDS_PER_SECOND = 1_000_000;

/**
 * The record key of a post at a time, of the kind that Bluesky requires, a TID: 13 characters,
 * which sort by time. Microseconds and clock ID follow from the ID of the post, so that the same
 * post at the same time always has the same key, and two posts never have.
 */
function recordKeyOf({ id }: Pick<Post, 'id'>, time: Date): string {
  const hash = createHash('sha256').update(id).digest();
  const seconds = BigInt(Math.floor(time.getTime() / 1_000));
  const microseconds =
    seconds * BigInt(MICROSECONDS_PER_SECOND) +
    BigInt(hash.readUInt32BE(0) % MICROSECONDS_PER_SECOND);
  let bits =
    (microseconds << CLOCK_ID_BITS) | BigInt(hash.readUInt32BE(4) % (1 << Number(CLOCK_ID_BITS)));
  let key = '';
  for (let index = 0; index < CHARACTERS; index += 1) {
    key = ALPHABET[Number(bits % (1n << BITS_PER_CHARACTER))]! + key;
    bits >>= BITS_PER_CHARACTER;
  }
  return key;
}

/** A file that was uploaded to the service, as records refer to it. */
type BlobReference = Readonly<Record<string, unknown>>;

interface UploadedFile {
  readonly blob: BlobReference;
  /** Null if it is unknown. */
  readonly size: PictureSize | null;
}

/** What a post refers to on the network. */
interface RecordReferences {
  /** An ISO time. */
  readonly createdAt: string;
  /** IDs of the mentioned accounts, by handle. */
  readonly mentions: Readonly<Record<string, string>>;
  /** In the order of the post's media. */
  readonly files: readonly UploadedFile[];
  /** The picture on the card of its link. */
  readonly cardPicture: BlobReference | null;
}

const FACET = 'app.bsky.richtext.facet';

/** The facets of a text: mentions of accounts that do not exist stay text. */
const toFacets = ({ features }: RecordText, didOf: RecordReferences['mentions']): object[] =>
  features.flatMap(({ byteStart, byteEnd, kind, value }) => {
    const feature = {
      link: { $type: `${FACET}#link`, uri: value },
      mention: didOf[value] ? { $type: `${FACET}#mention`, did: didOf[value] } : null,
      tag: { $type: `${FACET}#tag`, tag: value },
    }[kind];
    return feature ? [{ index: { byteStart, byteEnd }, features: [feature] }] : [];
  });

const EMBED = 'app.bsky.embed';
const aspectRatio = (size: PictureSize | null) => size && { aspectRatio: size };

/** What a post shows below its text: its pictures, its video, or the card of its link. */
function embedOf(post: Post, { files, cardPicture }: RecordReferences): object | null {
  const altOf = (index: number): string => post.media[index]?.altText ?? '';
  const link = post.type === 'link' ? linkOf(post) : null;
  if (link) {
    const thumb = files[0]?.blob ?? cardPicture;
    return {
      $type: `${EMBED}.external`,
      external: {
        uri: link.url,
        title: link.title ?? link.originalTitle ?? link.url,
        description: link.description ?? link.originalDescription ?? '',
        ...(thumb && { thumb }),
      },
    };
  }
  const [first] = files;
  if (!first) return null;
  if (post.media[0]?.type === 'video')
    return {
      $type: `${EMBED}.video`,
      video: first.blob,
      alt: altOf(0),
      ...aspectRatio(first.size),
    };
  return {
    $type: `${EMBED}.images`,
    images: files.map(({ blob, size }, index) => ({
      image: blob,
      alt: altOf(index),
      ...aspectRatio(size),
    })),
  };
}

/** The record of a post. The same post and references give the same record. */
function toPostRecord(post: Post, references: RecordReferences): object {
  const { createdAt, mentions } = references;
  const text = recordTextOf(post);
  const facets = toFacets(text, mentions);
  const embed = embedOf(post, references);
  return {
    $type: 'app.bsky.feed.post',
    text: text.text,
    createdAt,
    ...(post.details?.language && { langs: [post.details.language] }),
    ...(facets.length > 0 && { facets }),
    ...(embed && { embed }),
  };
}
