import { google } from '../../domain/networks/google.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import { textAt } from '../http-client/json-path.js';
import type { HttpClient } from '../http-client/http-client.js';
import {
  GOOGLE_ERRORS,
  fetchAccessToken,
  GOOGLE_BASE_URLS,
  type GoogleBaseUrls,
} from './google-api.js';

/** Google Business Profile: localPosts.patch of the summary. */
export const createGoogleBusiness = (
  http: HttpClient,
  baseUrls: GoogleBaseUrls = GOOGLE_BASE_URLS,
): NetworkAdapter =>
  createAdapter(http, google, {
    errors: GOOGLE_ERRORS,
    async edit(client, { remoteId, post }, credentials) {
      const headers = {
        Authorization: `Bearer ${await fetchAccessToken(client, credentials, baseUrls)}`,
      };
      await client.request('PATCH', `${baseUrls.posts}/v4/${remoteId}?updateMask=summary`, {
        headers,
        json: { summary: post.text },
      });
    },
    async check(client, { location, ...credentials }) {
      const headers = {
        Authorization: `Bearer ${await fetchAccessToken(client, credentials, baseUrls)}`,
      };
      // Accept a location with its account prefix, as in post names.
      const name =
        /locations\/\d+$/.exec(location)?.[0] ?? `locations/${encodeURIComponent(location)}`;
      const response = await client.request(
        'GET',
        `${baseUrls.places}/v1/${name}?readMask=name,title`,
        {
          headers,
        },
      );
      return {
        socialId: textAt(response, 'name') ?? client.throwMissing('name'),
        name: textAt(response, 'title') ?? name,
        type: 'location',
        picture: null,
      };
    },
  });
