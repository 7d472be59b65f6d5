import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { listAt, textAt } from '../http-client/json-path.js';
import { consentFailure, ownAccount, type OauthCalls } from '../oauth2/oauth-consent.js';
import { NO_CHANNEL } from '../youtube/youtube.js';
import { PLACES_URL } from './google.js';
import { GOOGLE_ERRORS } from './google-api.js';

const ACCOUNTS_URL = 'https://mybusinessaccountmanagement.googleapis.com/v1/accounts';

/** Google Business Profile: the locations of all accounts of the person. */
export const googleCalls: OauthCalls = {
  errors: GOOGLE_ERRORS,
  async findAccounts(client, { token }) {
    const headers = { Authorization: `Bearer ${token.accessToken}` };
    const accounts = listAt(await client.request('GET', ACCOUNTS_URL, { headers }), 'accounts');
    const locations = [];
    for (const name of accounts.map((account) => textAt(account, 'name'))) {
      if (!/^accounts\/\d+$/.test(name ?? '')) continue;
      const found = await client.request(
        'GET',
        `${PLACES_URL}/${name}/locations?readMask=name,title&pageSize=100`,
        { headers },
      );
      for (const location of listAt(found, 'locations')) {
        const id = textAt(location, 'name') ?? client.throwMissing('name of a location');
        locations.push({
          identity: {
            socialId: id,
            name: textAt(location, 'title') ?? id,
            type: 'location' as const,
            picture: null,
          },
          // Posts need the account before the location.
          credentials: { location: `${name}/${id}` },
        });
      }
    }
    return locations.length > 0
      ? locations
      : consentFailure(
          'WRONG_ACCOUNT_KIND',
          'Your Google account manages no location of a business.',
        );
  },
};

/** YouTube: the channel that the person chose on Google’s page. */
export const youtubeCalls = (adapter: NetworkAdapter): OauthCalls => ({
  errors: GOOGLE_ERRORS,
  async findAccounts(client, consent) {
    const found = await ownAccount(adapter)(client, consent);
    return 'kind' in found && found.message === NO_CHANNEL
      ? consentFailure('WRONG_ACCOUNT_KIND', NO_CHANNEL)
      : found;
  },
});
