import { mastodon } from '../../domain/networks/mastodon.js';
import type { ConsentNetwork } from '../../services/accounts/consent-ports.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import type { HttpClient } from '../http-client/http-client.js';
import { textAt } from '../http-client/json-path.js';
import { withNetworkClient } from '../http-client/network-client.js';
import type { NetworkHosts } from '../http-client/network-hosts.js';
import {
  consentFailure,
  createOauthConsent,
  readServer,
  toConsentFailure,
} from '../oauth2/oauth-consent.js';
import { MASTODON_ERRORS } from './mastodon.js';

/** What people see as the name of the gateway on the page of their server. */
const CLIENT_NAME = 'Posts Gateway';
const { scopes } = mastodon.oauth.own;

/**
 * Mastodon: people give consent on a page of their own server, at which the gateway registers
 * itself.
 */
export function createMastodonConsent(
  http: HttpClient,
  { adapter, hosts }: { readonly adapter: NetworkAdapter; readonly hosts: NetworkHosts },
): ConsentNetwork {
  const errors = { ...MASTODON_ERRORS, networkName: mastodon.name };
  return {
    ...createOauthConsent(http, mastodon, {
      errors: MASTODON_ERRORS,
      hosts,
      async findAccounts(_client, { token, server }) {
        const credentials = { instance: server!, accessToken: token.accessToken };
        const account = await adapter.check(credentials);
        if (account.kind === 'failed') return toConsentFailure(account);
        const { kind: _kind, ...identity } = account;
        return [{ identity, credentials }];
      },
    }),
    readServer: (text) => readServer(http, text),
    async register(server, redirectUri) {
      const answer = await withNetworkClient(
        http,
        { errors, remoteId: null, secrets: [] },
        async (client) => {
          const body = {
            client_name: CLIENT_NAME,
            redirect_uris: redirectUri,
            scopes: scopes.join(' '),
          };
          const app = await client.request('POST', `${server}/api/v1/apps`, {
            body: new URLSearchParams(body),
          });
          const clientId = textAt(app, 'client_id') ?? client.throwMissing('client ID');
          const clientSecret = textAt(app, 'client_secret') ?? client.throwMissing('client secret');
          return { kind: 'registered' as const, clientId, clientSecret };
        },
      );
      return answer.kind === 'registered'
        ? answer
        : consentFailure(
            'RULE_VIOLATION',
            `${server} is not a Mastodon server that the gateway can use: ${answer.message}`,
          );
    },
  };
}
