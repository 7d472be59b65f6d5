import type { mastodon } from 'masto';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import { baseUrl } from '../http-client/base-url.js';
import { textAt } from '../http-client/json-path.js';
import type { Line } from '../http-client/network-client.js';
import type { Web } from '../http-client/web.js';
import { statusUpdate } from './status-update.js';

type Keys = Readonly<Record<'instance' | 'accessToken', string>>;

async function clientFor(
  line: Line,
  { instance, accessToken }: Keys,
): Promise<mastodon.rest.Client> {
  const { mastodonClient } = await import('./mastodon-client.js');
  return mastodonClient(baseUrl(instance, line.web), accessToken, line.fetch);
}

/** The federated microblog: PUT /api/v1/statuses/:id of the account's instance. */
export const createMastodon = (web: Web): NetworkAdapter =>
  createAdapter(web, {
    dialect: {
      name: 'Mastodon',
      words: (json) => textAt(json, 'error_description') ?? textAt(json, 'error'),
    },
    verified: false,
    note: 'Text, content warning (title), language, poll options and duration. Changing a poll’s options resets its votes; a poll that has ended cannot be edited.',
    credentials: {
      instance: {
        meaning: 'The address of the instance, as https://mastodon.example.',
        secret: false,
      },
      accessToken: {
        meaning: 'An access token with the scopes read:accounts, read:statuses and write:statuses.',
        secret: true,
      },
    },
    remoteId: /^\w{1,64}$/,
    async edit(line, { remoteId, post, changed }, keys) {
      const there = (await clientFor(line, keys)).v1.statuses.$select(remoteId);
      const status = await there.fetch();
      const source = await there.source.fetch();
      // Sent back incomplete, they would be taken away.
      if (!Array.isArray(status?.mediaAttachments)) line.unreadable('list of attachments');
      if (typeof source?.text !== 'string') line.unreadable('source text');
      await there.update(
        statusUpdate({ post, changed }, { status, source, now: line.web.clock.now() }),
      );
    },
    async check(line, keys) {
      const account = await (await clientFor(line, keys)).v1.accounts.verifyCredentials();
      if (!account?.id || !account.acct) line.unreadable('account');
      const host = new URL(baseUrl(keys.instance, line.web)).host;
      // Each instance counts for itself.
      return {
        socialId: `${account.id}@${host}`,
        name: `@${account.acct}@${host}`,
        type: 'profile',
        picture: account.avatar || null,
      };
    },
  });
