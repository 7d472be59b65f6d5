import { sumOf, type PostNumbers } from '../../domain/numbers/numbers.js';
import type { NumbersDefinition } from '../adapter.js';
import { readBaseUrl } from '../http-client/base-url.js';
import { listAt, numberAt, textAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import type { MastodonCredentials } from './mastodon-api.js';

/** Votes of the options; null if the poll hides them until it ends. */
function pollVotes(status: unknown): number[] | null {
  const votes = listAt(status, 'poll', 'options').map((option) => numberAt(option, 'votes_count'));
  const known = votes.filter((count) => count !== null);
  return votes.length > 0 && known.length === votes.length ? known : null;
}

const toNumbers = (status: unknown): PostNumbers => ({
  likes: numberAt(status, 'favourites_count'),
  comments: numberAt(status, 'replies_count'),
  shares: sumOf([numberAt(status, 'reblogs_count'), numberAt(status, 'quotes_count')]),
  pollVotes: pollVotes(status),
});

/** Null if the instance does not have what is asked for. */
async function find(
  client: NetworkClient,
  { instance, accessToken }: MastodonCredentials,
  path: string,
): Promise<unknown> {
  const response = await client.fetch(`${readBaseUrl(instance, client.http)}/api/v1/${path}`, {
    headers: { Authorization: `Bearer ${accessToken}`, Accept: 'application/json' },
  });
  return response.status === 404 || response.status === 410
    ? null
    : ((await response.json()) as unknown);
}

/**
 * Numbers of statuses: all in one call from Mastodon 4.3, one by one on older instances and on
 * servers that only resemble Mastodon. An account may send 300 requests in 5 minutes.
 */
export const STATUS_NUMBERS: NumbersDefinition<keyof MastodonCredentials> = {
  maxPosts: 20,
  intervalMs: 30_000,
  errors: {
    errorMessage: (json) => textAt(json, 'error'),
    failureCode: ({ status }) => (status === 404 || status === 410 ? 'ok' : null),
  },
  async read(client, credentials, ids) {
    const query = ids.map((id) => `id[]=${id}`).join('&');
    const listed = await find(client, credentials, `statuses?${query}`);
    const statuses: unknown[] = Array.isArray(listed) ? listed : [];
    if (!Array.isArray(listed))
      for (const id of ids) {
        const status = await find(client, credentials, `statuses/${id}`);
        if (status !== null) statuses.push(status);
      }
    return new Map(
      statuses.map((status) => [
        textAt(status, 'id') ?? client.throwMissing('ID of a status'),
        toNumbers(status),
      ]),
    );
  },
};
