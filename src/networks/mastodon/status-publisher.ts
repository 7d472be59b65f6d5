import { createHash } from 'node:crypto';
import type { Post } from '../../domain/posts/post.js';
import type { LivePost } from '../../services/publishing/publisher-ports.js';
import { textAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import { preparedNow, type PublisherDefinition } from '../publisher.js';
import { uploadMedia } from './media-upload.js';
import { openMastodonApi, type MastodonApi } from './mastodon-api.js';
import { findStatus, newestStatusId } from './recent-statuses.js';
import { statusText } from './status-text.js';

/** What a status is sent and found with. */
interface StatusHandle {
  readonly key: string;
  readonly accountId: string;
  /** IDs of uploaded media. */
  readonly media: string;
  /** ID of the account's newest status before this one; empty if it had none. */
  readonly newestId: string;
}

const DAY_SECONDS = 86_400;

/**
 * The same for every attempt at a post at one time, so that the instance publishes it once even if
 * a list that lags did not show it (kept for an hour).
 */
const idempotencyKey = ({ id, scheduledAt }: Post): string =>
  createHash('sha256')
    .update(`${id} ${scheduledAt?.toISOString() ?? ''}`)
    .digest('hex');

function toStatus(post: Post, mediaIds: readonly string[]) {
  const { networkOptions, details } = post;
  const spoilerText = networkOptions?.spoilerText ?? post.title ?? '';
  return {
    status: statusText(post),
    spoiler_text: spoilerText,
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
  async prepare(api, { post }) {
    const account = await api.request('GET', '/accounts/verify_credentials');
    const accountId = textAt(account, 'id') ?? api.client.throwMissing('account');
    const handle: StatusHandle = {
      key: idempotencyKey(post),
      accountId,
      newestId: (await newestStatusId(api, accountId)) ?? '',
      media: (await uploadMedia(api, post.media)).join(','),
    };
    return { ...handle, ...preparedNow(api.client) };
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
