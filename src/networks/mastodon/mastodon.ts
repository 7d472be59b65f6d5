import { mastodon as definition } from '../../domain/networks/mastodon.js';
import type { mastodon } from 'masto';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import { readBaseUrl } from '../http-client/base-url.js';
import { textAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import type { ErrorMapping } from '../http-client/network-response.js';
import type { HttpClient } from '../http-client/http-client.js';
import type { MastodonCredentials } from './mastodon-api.js';
import { STATUS_NUMBERS } from './status-numbers.js';
import { STATUS_PUBLISHER } from './status-publisher.js';
import { toStatusUpdate } from './status-update.js';

async function loadMastodonClient(
  client: NetworkClient,
  { instance, accessToken }: MastodonCredentials,
): Promise<mastodon.rest.Client> {
  const { createMastodonClient } = await import('./mastodon-client.js');
  return createMastodonClient(readBaseUrl(instance, client.http), accessToken, client.fetch);
}

/** Error mapping of Mastodon. */
export const MASTODON_ERRORS: ErrorMapping = {
  errorMessage: (json) => textAt(json, 'error_description') ?? textAt(json, 'error'),
};

/**
 * Mastodon: POST /api/v1/statuses of the account's instance, PUT /api/v1/statuses/:id for edits.
 */
export const createMastodon = (http: HttpClient): NetworkAdapter =>
  createAdapter(http, definition, {
    errors: MASTODON_ERRORS,
    async edit(client, { remoteId, post, changed }, credentials) {
      const { v1 } = await loadMastodonClient(client, credentials);
      const statusApi = v1.statuses.$select(remoteId);
      const status = await statusApi.fetch();
      const source = await statusApi.source.fetch();
      // An update deletes attachments and text that it does not send back.
      if (!Array.isArray(status?.mediaAttachments)) client.throwMissing('list of attachments');
      if (typeof source?.text !== 'string') client.throwMissing('source text');
      await statusApi.update(
        toStatusUpdate({ post, changed }, { status, source, now: client.http.clock.now() }),
      );
    },
    async check(client, credentials) {
      const { v1 } = await loadMastodonClient(client, credentials);
      const account = await v1.accounts.verifyCredentials();
      if (!account?.id || !account.acct) client.throwMissing('account');
      const host = new URL(readBaseUrl(credentials.instance, client.http)).host;
      // Account IDs are unique only within an instance.
      return {
        socialId: `${account.id}@${host}`,
        name: `@${account.acct}@${host}`,
        type: 'profile',
        picture: account.avatar || null,
      };
    },
    publisher: STATUS_PUBLISHER,
    numbers: STATUS_NUMBERS,
  });
