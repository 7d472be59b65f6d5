import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { facebookCalls } from '../facebook/facebook-consent.js';
import { textAt } from '../http-client/json-path.js';
import { GRAPH_ERRORS } from '../meta/graph-api.js';
import { consentFailure, ownAccount, type OauthCalls } from '../oauth2/oauth-consent.js';

/** Instagram: the account of the person or, through Facebook’s login, the accounts of their pages. */
export function instagramCalls(adapter: NetworkAdapter, version: string): OauthCalls {
  const throughFacebook = facebookCalls(version).instagram;
  return {
    errors: GRAPH_ERRORS,
    async findAccounts(client, consent) {
      if (consent.way === 'facebook') return throughFacebook.findAccounts(client, consent);
      const me = await client.request(
        'GET',
        `https://graph.instagram.com/${version}/me?fields=account_type`,
        { headers: { Authorization: `Bearer ${consent.token.accessToken}` } },
      );
      return textAt(me, 'account_type')?.toUpperCase() === 'PERSONAL'
        ? consentFailure(
            'WRONG_ACCOUNT_KIND',
            'Instagram has no API for personal accounts. Change yours to a professional account in the app.',
          )
        : ownAccount(adapter)(client, consent);
    },
    grantedScopes: (client, token, way) =>
      way === 'facebook'
        ? throughFacebook.grantedScopes(client, token, way)
        : Promise.resolve(token.scopes),
  };
}
