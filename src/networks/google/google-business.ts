import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import { textAt } from '../http-client/json-path.js';
import type { Web } from '../http-client/web.js';
import { googleDialect } from './google-dialect.js';
import { accessToken, GOOGLE_CREDENTIALS, GOOGLE_ROOTS, type GoogleRoots } from './google-oauth.js';

/** The business-listing network: localPosts.patch of the summary. */
export const createGoogleBusiness = (web: Web, roots: GoogleRoots = GOOGLE_ROOTS): NetworkAdapter =>
  createAdapter(web, {
    dialect: googleDialect('Google Business Profile'),
    verified: false,
    note: 'The text, up to 1,500 characters.',
    credentials: {
      ...GOOGLE_CREDENTIALS,
      location: { meaning: 'The place of business, as locations/1234567890.', secret: false },
    },
    remoteId: /^accounts\/\d+\/locations\/\d+\/localPosts\/[\w-]+$/,
    async edit(line, { remoteId, post }, keys) {
      const headers = { Authorization: `Bearer ${await accessToken(line, keys, roots)}` };
      await line.ask('PATCH', `${roots.posts}/v4/${remoteId}?updateMask=summary`, {
        headers,
        json: { summary: post.text },
      });
    },
    async check(line, { location, ...keys }) {
      const headers = { Authorization: `Bearer ${await accessToken(line, keys, roots)}` };
      // An address may be given with the account before it, as posts have it.
      const name =
        /locations\/\d+$/.exec(location)?.[0] ?? `locations/${encodeURIComponent(location)}`;
      const place = await line.ask('GET', `${roots.places}/v1/${name}?readMask=name,title`, {
        headers,
      });
      return {
        socialId: textAt(place, 'name') ?? line.unreadable('name'),
        name: textAt(place, 'title') ?? name,
        type: 'location',
        picture: null,
      };
    },
  });
