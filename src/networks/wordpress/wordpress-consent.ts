import { parseUrl } from '../../domain/input/urls.js';
import { wordpress } from '../../domain/networks/wordpress.js';
import type { ConsentFailure, ConsentNetwork } from '../../services/accounts/consent-ports.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import type { HttpClient } from '../http-client/http-client.js';
import { textAt } from '../http-client/json-path.js';
import { withNetworkClient } from '../http-client/network-client.js';
import { consentFailure, readServer, toConsentFailure } from '../oauth2/oauth-consent.js';
import { wordpressErrors } from './wordpress-api.js';

/** What the application password is called in the profile of the user. */
const APP_NAME = 'Posts Gateway';
/** The ID of the gateway for blogs: a random UUID that never changes. */
const APP_ID = 'f52b1a86-0f3c-4b7e-9d0a-6c1f7ad2f2b4';

/** Adds the state to the address, which the blog sends back with its own parameters. */
const withState = (redirectUri: string, parameters: Readonly<Record<string, string>>): string =>
  `${redirectUri}?${new URLSearchParams(parameters).toString()}`;

/**
 * WordPress: its own page creates an application password for the gateway, and sends the person back
 * with it.
 */
export function createWordpressConsent(
  http: HttpClient,
  { adapter }: { readonly adapter: NetworkAdapter },
): ConsentNetwork {
  const errors = { ...wordpressErrors, networkName: wordpress.name };

  /** The page for application passwords, as the blog itself names it. */
  async function findPage(server: string): Promise<URL | ConsentFailure> {
    const answer = await withNetworkClient(
      http,
      { errors, remoteId: null, secrets: [] },
      async (client) => ({
        kind: 'found' as const,
        page: textAt(
          await client.request('GET', `${server}/wp-json/`, {
            headers: { Accept: 'application/json' },
          }),
          'authentication',
          'application-passwords',
          'endpoints',
          'authorization',
        ),
      }),
    );
    if (answer.kind === 'failed')
      return consentFailure(
        'RULE_VIOLATION',
        `${server} is not a WordPress blog that the gateway can use: ${answer.message}`,
      );
    const page = parseUrl(answer.page ?? '');
    return page && /^https?:$/.test(page.protocol)
      ? page
      : consentFailure(
          'RULE_VIOLATION',
          `The blog at ${server} has no application passwords. They need WordPress 5.6 and https, and a plugin may have turned them off.`,
        );
  }

  return {
    ways: { own: null },
    readServer: (text) => readServer(http, text),
    async ask({ server, redirectUri, state }) {
      const page = await findPage(server!);
      if ('kind' in page) return page;
      page.searchParams.set('app_name', APP_NAME);
      page.searchParams.set('app_id', APP_ID);
      page.searchParams.set('success_url', withState(redirectUri, { state }));
      page.searchParams.set(
        'reject_url',
        withState(redirectUri, { state, error: 'access_denied' }),
      );
      return { kind: 'asked', authorizeUrl: page.href, secrets: {} };
    },
    async complete({ server, parameters }) {
      const { user_login: username = '', password: applicationPassword = '' } = parameters;
      if (username === '' || applicationPassword === '')
        return consentFailure(
          'CONSENT_DENIED',
          'You did not allow the gateway to use your WordPress blog.',
        );
      const credentials = { site: server!, username, applicationPassword };
      const account = await adapter.check(credentials);
      if (account.kind === 'failed')
        return account.code === 'NETWORK_REAUTHORIZATION_NEEDED'
          ? consentFailure(
              'RULE_VIOLATION',
              'The blog created an application password but does not accept it. A firewall or the web server may remove the header Authorization: ask the host of the blog.',
            )
          : toConsentFailure(account);
      const { kind: _kind, ...identity } = account;
      return {
        kind: 'granted',
        identities: [
          { identity, credentials, grantedScopes: [], expiresAt: null, renewsItself: false },
        ],
      };
    },
  };
}
