import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { listAt, textAt } from '../http-client/json-path.js';
import { consentFailure, ownAccount, type OauthCalls } from '../oauth2/oauth-consent.js';
import { LINKEDIN_API, LINKEDIN_ERRORS, linkedinHeaders } from './linkedin-api.js';

const ROLES = `${LINKEDIN_API}/rest/organizationAcls?q=roleAssignee&role=ADMINISTRATOR&state=APPROVED&count=100`;
const NAMES = `${LINKEDIN_API}/rest/organizationsLookup?ids=`;

/** LinkedIn: the profile of a member or, with the app for pages, the pages that they administer. */
export const linkedinCalls = (adapter: NetworkAdapter, version: string): OauthCalls => ({
  errors: LINKEDIN_ERRORS,
  async findAccounts(client, consent) {
    if (consent.way === 'own') return ownAccount(adapter)(client, consent);
    const headers = linkedinHeaders(version, consent.token.accessToken);
    const ids = listAt(await client.request('GET', ROLES, { headers }), 'elements')
      // Both names occur in the documentation.
      .map((role) => textAt(role, 'organization') ?? textAt(role, 'organizationTarget'))
      .map((urn) => /^urn:li:organization:(\d+)$/.exec(urn ?? '')?.[1])
      .filter((id) => id !== undefined);
    if (ids.length === 0)
      return consentFailure(
        'WRONG_ACCOUNT_KIND',
        'You administer no page on LinkedIn. An administrator of the page has to make you one.',
      );
    // One request for all: an app that is not approved yet has 100 per member and day.
    const names = await client.request('GET', `${NAMES}List(${ids.join(',')})`, { headers });
    return ids.map((organization) => ({
      identity: {
        socialId: `urn:li:organization:${organization}`,
        name: textAt(names, 'results', organization, 'localizedName') ?? organization,
        type: 'page',
        picture: null,
      },
      credentials: { organization },
    }));
  },
});
