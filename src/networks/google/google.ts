import type { AppClient } from '../../domain/connections/oauth-rules.js';
import { google } from '../../domain/networks/google.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import { textAt } from '../http-client/json-path.js';
import type { HttpClient } from '../http-client/http-client.js';
import { GOOGLE_ERRORS, fetchAccessToken } from './google-api.js';
import { createLocalPostPublisher, POSTS_URL } from './local-post-publisher.js';

/** Base of the calls about locations. */
export const PLACES_URL = 'https://mybusinessbusinessinformation.googleapis.com/v1';

/** Google Business Profile: localPosts.create, and localPosts.patch of the summary. */
export const createGoogleBusiness = (http: HttpClient, app: AppClient | null): NetworkAdapter =>
  createAdapter(http, google, {
    errors: GOOGLE_ERRORS,
    async edit(client, { remoteId, post }, credentials) {
      const headers = {
        Authorization: `Bearer ${await fetchAccessToken(client, credentials, app)}`,
      };
      await client.request('PATCH', `${POSTS_URL}/${remoteId}?updateMask=summary`, {
        headers,
        json: { summary: post.text },
      });
    },
    async check(client, { location, ...credentials }) {
      const headers = {
        Authorization: `Bearer ${await fetchAccessToken(client, credentials, app)}`,
      };
      // Accept a location with its account prefix, as in post names.
      const name =
        /locations\/\d+$/.exec(location)?.[0] ?? `locations/${encodeURIComponent(location)}`;
      const response = await client.request('GET', `${PLACES_URL}/${name}?readMask=name,title`, {
        headers,
      });
      return {
        socialId: textAt(response, 'name') ?? client.throwMissing('name'),
        name: textAt(response, 'title') ?? name,
        type: 'location',
        picture: null,
      };
    },
    publisher: createLocalPostPublisher(app),
  });
