import type { PublicationHandle } from '../../domain/networks/network-definition.js';
import type { Post } from '../../domain/posts/post.js';
import type { LivePost, SentPost } from '../../services/networks/network-ports.js';
import { comparableText } from '../html-text.js';
import { listAt, textAt } from '../http-client/json-path.js';
import { openGraphApi, type GraphApi, type GraphParams } from '../meta/graph-api.js';
import { preparedNow, type PublisherDefinition, wasPreparedBefore } from '../publisher.js';

/** The photos of a post, which are not published yet. */
interface PageHandle extends PublicationHandle {
  /** IDs of the photos, in their order. */
  readonly photos: string;
}

const idsOf = (list: string): string[] => (list === '' ? [] : list.split(','));

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

function toLivePost({ client }: GraphApi, post: unknown): LivePost {
  const remoteId = textAt(post, 'id') ?? client.throwMissing('post ID');
  return { kind: 'live', remoteId, url: textAt(post, 'permalink_url') };
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

/**
 * Publishes posts of pages. Photos are uploaded before, without being published. After a call
 * without a response, the post is looked for among the recent ones of the page.
 */
export const pagePublisher = (url: string): PublisherDefinition<'accessToken', GraphApi> => ({
  connect: async (client, { accessToken }) => openGraphApi(client, url, accessToken),
  async prepare(api, { account, post }, started) {
    const handle = (started as PageHandle | null) ?? { photos: '', ...preparedNow(api.client) };
    const photos = idsOf(handle.photos);
    const next = post.media[photos.length];
    if (!next) return handle;
    const created = await api.post(`${encodeURIComponent(account.socialId)}/photos`, {
      url: next.url,
      published: 'false',
      ...(next.altText !== null && { alt_text_custom: next.altText }),
    });
    const id = textAt(created, 'id') ?? api.client.throwMissing('photo ID');
    const more = { ...handle, photos: [...photos, id].join() };
    return photos.length + 1 < post.media.length
      ? { kind: 'preparing', handle: more, againInMs: 0 }
      : more;
  },
  async publish(api, { account, post, handle }) {
    const path = `${encodeURIComponent(account.socialId)}/feed`;
    return toLivePost(api, await api.post(path, toFeedPost(post, idsOf(handle['photos']!))));
  },
  async look(api, sent) {
    const list = await api.get(`${encodeURIComponent(sent.account.socialId)}/published_posts`, {
      fields: LIST_FIELDS,
      limit: String(LISTED_POSTS),
    });
    const since = sent.sentAt.getTime() - CLOCK_TOLERANCE_MS;
    const recent = listAt(list, 'data').filter(
      (post) => Date.parse(textAt(post, 'created_time') ?? '') >= since,
    );
    const found = recent.findLast((post) => isSamePost(post, sent));
    if (found !== undefined) return toLivePost(api, found);
    return { kind: recent.length < LISTED_POSTS ? 'not_there' : 'cannot_tell' };
  },
  async remove(api, remoteId) {
    await api.delete(remoteId);
  },
});
