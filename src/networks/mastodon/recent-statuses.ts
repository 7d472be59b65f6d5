import { comparableText } from '../../domain/publishing/comparable-text.js';
import type { SentPost } from '../../services/publishing/publisher-ports.js';
import { textOfHtml } from '../html-text.js';
import { listAt, textAt, valueAt } from '../http-client/json-path.js';
import { wasPreparedBefore } from '../publisher.js';
import type { MastodonApi } from './mastodon-api.js';
import { statusText } from './status-text.js';

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
export const newestStatusId = async (api: MastodonApi, accountId: string): Promise<string | null> =>
  textAt(await listStatuses(api, accountId, 1), 0, 'id');

/** Whether a status has the text, with its links, the media and the poll of the post. */
function isSamePost(status: unknown, { post, handle }: SentPost): boolean {
  // Some servers return the text as it was sent.
  const text = textAt(status, 'text') ?? textOfHtml(textAt(status, 'content') ?? '');
  const mediaCount = handle.media ? handle.media.split(',').length : 0;
  return (
    comparableText(text) === comparableText(statusText(post)) &&
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
export async function findStatus(api: MastodonApi, sent: SentPost): Promise<FoundStatus> {
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
