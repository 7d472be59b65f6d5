import { contentWarningOf } from '../../domain/networks/mastodon.js';
import { wholeTextOf } from '../../domain/networks/network-definition.js';
import type { Post } from '../../domain/posts/post.js';
import type { PublicationHandle } from '../../domain/networks/network-definition.js';
import { formBody } from '../http-client/upload-body.js';
import type { LivePost, SentPost } from '../../services/networks/network-ports.js';
import { textAt, listAt, valueAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import {
  preparedNow,
  processingPauseMs,
  publicationKey,
  type PublisherDefinition,
  wasPreparedBefore,
} from '../publisher.js';
import { openMastodonApi, type MastodonApi } from './mastodon-api.js';
import { comparableText, textOfHtml } from '../html-text.js';
import type { Media } from '../../domain/posts/post-content.js';

/** What a status is sent and found with. */
interface StatusHandle extends PublicationHandle {
  readonly key: string;
  readonly accountId: string;
  /** IDs of uploaded media, in their order. */
  readonly media: string;
  /** Those that the instance has not processed yet. */
  readonly processing: string;
  /** ID of the account's newest status before this one; empty if it had none. */
  readonly newestId: string;
}

const DAY_SECONDS = 86_400;

function toStatus(post: Post, mediaIds: readonly string[]) {
  const { networkOptions, details } = post;
  return {
    status: wholeTextOf(post).text,
    spoiler_text: contentWarningOf(post),
    sensitive: networkOptions?.sensitive ?? false,
    ...(networkOptions?.visibility && { visibility: networkOptions.visibility }),
    ...(details?.language && { language: details.language }),
    ...(mediaIds.length > 0 && { media_ids: mediaIds }),
    ...(post.type === 'poll' && {
      poll: { options: post.options, expires_in: (post.duration ?? 1) * DAY_SECONDS },
    }),
  };
}

function toLivePost(client: NetworkClient, status: unknown): LivePost {
  const remoteId = textAt(status, 'id') ?? client.throwMissing('status ID');
  return { kind: 'live', remoteId, url: textAt(status, 'url') };
}

/**
 * Publishes statuses. Each is sent with an idempotency key; after a call without a response it is
 * looked for among the recent statuses of the account, because not every server keeps such keys.
 */
export const STATUS_PUBLISHER: PublisherDefinition<'instance' | 'accessToken', MastodonApi> = {
  connect: async (client, credentials) => openMastodonApi(client, credentials),
  async prepare(api, { post }, started) {
    const handle = (started as StatusHandle | null) ?? (await begin(api, post));
    const uploaded = idsOf(handle.media);
    const next = post.media[uploaded.length];
    if (next) {
      // One file a call: what is uploaded is stored before the next file is sent.
      const { id, isProcessed } = await uploadFile(api, next);
      const processing = isProcessed ? handle.processing : [...idsOf(handle.processing), id].join();
      const more = { ...handle, media: [...uploaded, id].join(), processing };
      return uploaded.length + 1 < post.media.length || processing !== ''
        ? { kind: 'preparing', handle: more, againInMs: 0 }
        : more;
    }
    const [waitsFor] = idsOf(handle.processing);
    if (waitsFor === undefined) return handle;
    const [, ...others] = idsOf(handle.processing);
    if (!(await isFileProcessed(api, waitsFor)))
      return { kind: 'preparing', handle, againInMs: processingPauseMs(api.client, handle) };
    const left = { ...handle, processing: others.join() };
    return others.length > 0 ? { kind: 'preparing', handle: left, againInMs: 0 } : left;
  },
  async publish(api, { post, handle }) {
    const mediaIds = handle.media ? handle.media.split(',') : [];
    const status = await api.request('POST', '/statuses', {
      headers: { 'Idempotency-Key': handle.key! },
      json: toStatus(post, mediaIds),
    });
    return toLivePost(api.client, status);
  },
  async look(api, sent) {
    const found = await findStatus(api, sent);
    return found.kind === 'found' ? toLivePost(api.client, found.status) : found;
  },
  async remove(api, remoteId) {
    await api.request('DELETE', `/statuses/${remoteId}`);
  },
};

const idsOf = (list: string): string[] => (list === '' ? [] : list.split(','));

/** What is known of a status before its files are uploaded. */
async function begin(api: MastodonApi, post: Post): Promise<StatusHandle> {
  const account = await api.request('GET', '/accounts/verify_credentials');
  const accountId = textAt(account, 'id') ?? api.client.throwMissing('account');
  return {
    // The instance publishes it once, even if a list that lags did not show it (kept for an hour).
    key: publicationKey(post),
    accountId,
    newestId: (await newestStatusId(api, accountId)) ?? '',
    media: '',
    processing: '',
    ...preparedNow(api.client),
  };
}

/** Uploads a file. It has an address as soon as the instance has processed it. */
async function uploadFile(
  api: MastodonApi,
  media: Media,
): Promise<{ readonly id: string; readonly isProcessed: boolean }> {
  const file = await api.client.openMedia(media);
  // some servers tell the type by the extension
  const name = `media.${file.type.split('/')[1] ?? 'bin'}`;
  const uploaded = await api.requestV2('POST', '/media', {
    body: formBody(media.altText === null ? {} : { description: media.altText }, [
      { ...file, field: 'file', name },
    ]),
  });
  const id = textAt(uploaded, 'id') ?? api.client.throwMissing('media ID');
  return { id, isProcessed: textAt(uploaded, 'url') !== null };
}

const isFileProcessed = async (api: MastodonApi, id: string): Promise<boolean> =>
  textAt(await api.request('GET', `/media/${encodeURIComponent(id)}`), 'url') !== null;

/** The maximum of the API. */
const MAX_STATUSES = 40;
/** Differences between the clocks of the service and of an instance. */
const CLOCK_TOLERANCE_MS = 120_000;

/** The account's own statuses, newest first. */
async function listStatuses(
  api: MastodonApi,
  accountId: string,
  limit: number,
): Promise<readonly unknown[]> {
  const query = `limit=${limit}&exclude_reblogs=true`;
  const path = `/accounts/${encodeURIComponent(accountId)}/statuses?${query}`;
  const statuses = await api.request('GET', path);
  return Array.isArray(statuses) ? statuses : api.client.throwMissing('list of statuses');
}

/** ID of the account's newest status; null if it has none. */
const newestStatusId = async (api: MastodonApi, accountId: string): Promise<string | null> =>
  textAt(await listStatuses(api, accountId, 1), 0, 'id');

/** Whether a status has the text, with its links, the media and the poll of the post. */
function isSamePost(status: unknown, { post, handle }: SentPost): boolean {
  // Some servers return the text as it was sent.
  const text = textAt(status, 'text') ?? textOfHtml(textAt(status, 'content') ?? '');
  const mediaCount = handle.media ? handle.media.split(',').length : 0;
  return (
    comparableText(text) === comparableText(wholeTextOf(post).text) &&
    listAt(status, 'media_attachments').length === mediaCount &&
    listAt(status, 'poll', 'options').length === (post.type === 'poll' ? post.options.length : 0)
  );
}

/** A status; `cannot_tell`: the account has had more statuses since then than are listed. */
type FoundStatus =
  | { readonly kind: 'found'; readonly status: unknown }
  | { readonly kind: 'not_there' }
  | { readonly kind: 'cannot_tell' };

/**
 * The status of a post that may have been sent, among the recent ones of the account: those that
 * are newer than the newest one when it was prepared.
 */
async function findStatus(api: MastodonApi, sent: SentPost): Promise<FoundStatus> {
  const { handle, sentAt } = sent;
  const recent = await listStatuses(api, handle.accountId!, MAX_STATUSES);
  const isNew = (status: unknown): boolean =>
    Date.parse(String(valueAt(status, 'created_at'))) >= sentAt.getTime() - CLOCK_TOLERANCE_MS;
  const isEarlier = (status: unknown): boolean =>
    !isNew(status) || (wasPreparedBefore(sent) && textAt(status, 'id') === handle.newestId);
  const firstEarlier = recent.findIndex(isEarlier);
  const candidates = firstEarlier === -1 ? recent : recent.slice(0, firstEarlier);
  const status = candidates.find((candidate) => isSamePost(candidate, sent));
  if (status !== undefined) return { kind: 'found', status };
  return { kind: candidates.length < MAX_STATUSES ? 'not_there' : 'cannot_tell' };
}
