import { bluesky } from '../../domain/networks/bluesky.js';
import type { Media } from '../../domain/posts/post-content.js';
import type { LivePost, SentPost } from '../../services/networks/network-ports.js';
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
import { findFeatures, toFacets } from './facets.js';
import { createHash } from 'node:crypto';
import type { Post } from '../../domain/posts/post.js';
import { linkOf } from '../../domain/posts/presented-settings.js';

const COLLECTION = 'app.bsky.feed.post';
const REPO = 'com.atproto.repo';
/** The record key, and what the record refers to, as JSON. */
interface RecordHandle {
  readonly rkey: string;
  readonly createdAt: string;
  readonly mentions: string;
  readonly blobs: string;
}

const toLivePost = (did: string, rkey: string): LivePost => ({
  kind: 'live',
  remoteId: `at://${did}/${COLLECTION}/${rkey}`,
  url: `https://bsky.app/profile/${did}/post/${rkey}`,
});

async function uploadPicture(api: BlueskyApi, media: Media): Promise<BlobReference> {
  const { type, bytes } = await api.client.readMedia(media);
  if (!type.startsWith('image/'))
    throwRequestError(
      'NETWORK_REFUSED',
      `Bluesky does not accept the picture: its type is ${type || 'unknown'}.`,
    );
  if (bytes.length > bluesky.files.photo.maxBytes)
    throwRequestError(
      'NETWORK_REFUSED',
      `Bluesky does not accept the picture: it has ${bytes.length} bytes, and the maximum is ${bluesky.files.photo.maxBytes}.`,
    );
  const uploaded = await api.call(`${REPO}.uploadBlob`, {
    headers: { 'Content-Type': type },
    body: bytes,
  });
  const blob = valueAt(uploaded, 'blob');
  return typeof blob === 'object' && blob !== null
    ? (blob as BlobReference)
    : api.client.throwMissing('blob');
}

/** IDs of the accounts that a text mentions, by handle; without those that do not exist. */
async function findMentions(api: BlueskyApi, text: string): Promise<Record<string, string>> {
  const mentions: Record<string, string> = {};
  for (const { kind, value: handle } of findFeatures(text)) {
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
    const blobs: BlobReference[] = [];
    for (const item of post.media) blobs.push(await uploadPicture(api, item));
    const handle: RecordHandle = {
      rkey: recordKeyOf(post, post.scheduledAt ?? now),
      createdAt: now.toISOString(),
      mentions: JSON.stringify(await findMentions(api, recordText(post))),
      blobs: JSON.stringify(blobs),
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
    blobs: JSON.parse(handle.blobs!) as BlobReference[],
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

/** What a post refers to on the network. */
interface RecordReferences {
  /** An ISO time. */
  readonly createdAt: string;
  /** IDs of the mentioned accounts, by handle. */
  readonly mentions: Readonly<Record<string, string>>;
  /** The pictures, in the order of the post's media. */
  readonly blobs: readonly BlobReference[];
}

/** The text of a post as it is published; byte offsets refer to it. */
const recordText = ({ text }: Pick<Post, 'text'>): string => text.toWellFormed();

/** What a post shows below its text: its pictures, or the card of its link. */
function embedOf(post: Post, blobs: readonly BlobReference[]): object | null {
  if (blobs.length > 0)
    return {
      $type: 'app.bsky.embed.images',
      images: blobs.map((image, index) => ({ image, alt: post.media[index]?.altText ?? '' })),
    };
  const link = post.type === 'link' ? linkOf(post) : null;
  return (
    link && {
      $type: 'app.bsky.embed.external',
      external: {
        uri: link.url,
        title: link.title ?? link.originalTitle ?? link.url,
        description: link.description ?? link.originalDescription ?? '',
      },
    }
  );
}

/** The record of a post. The same post and references give the same record. */
function toPostRecord(post: Post, { createdAt, mentions, blobs }: RecordReferences): object {
  const text = recordText(post);
  const facets = toFacets(text, mentions);
  const embed = embedOf(post, blobs);
  return {
    $type: 'app.bsky.feed.post',
    text,
    createdAt,
    ...(post.details?.language && { langs: [post.details.language] }),
    ...(facets.length > 0 && { facets }),
    ...(embed && { embed }),
  };
}
