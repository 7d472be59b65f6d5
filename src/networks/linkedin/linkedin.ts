import { commentaryOf, linkedin } from '../../domain/networks/linkedin.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import { textAt } from '../http-client/json-path.js';
import type { HttpClient } from '../http-client/http-client.js';
import { findMember, LINKEDIN_ERRORS, openLinkedinApi, toLittleText } from './linkedin-api.js';
import { createPostPublisher } from './post-publisher.js';
import { createShareStatistics } from './share-statistics.js';

interface LinkedinOptions {
  /** YYYYMM. LinkedIn retires each version one year after its release. */
  readonly version: string;
}

/**
 * LinkedIn profiles and pages: POST /rest/posts, and /rest/posts/{urn} as a PARTIAL_UPDATE of the
 * commentary.
 */
export const createLinkedin = (http: HttpClient, { version }: LinkedinOptions): NetworkAdapter =>
  createAdapter(http, linkedin, {
    errors: LINKEDIN_ERRORS,
    note: `Uses version ${version} of the LinkedIn API (LINKEDIN_VERSION).`,
    async edit(client, { remoteId, post }, credentials) {
      const api = openLinkedinApi(client, { credentials, version });
      await api.request('POST', `/posts/${encodeURIComponent(remoteId)}`, {
        headers: { 'X-RestLi-Method': 'PARTIAL_UPDATE' },
        json: { patch: { $set: { commentary: toLittleText(commentaryOf(post)) } } },
      });
    },
    async check(client, credentials) {
      const { accessToken, organization } = credentials;
      if (organization !== '') {
        const api = openLinkedinApi(client, { credentials, version });
        const page = await api.request('GET', `/organizations/${encodeURIComponent(organization)}`);
        const name = textAt(page, 'localizedName') ?? client.throwMissing('name');
        return {
          socialId: `urn:li:organization:${organization}`,
          name,
          type: 'page',
          picture: null,
        };
      }
      const { sub, name, picture } = await findMember(client, accessToken);
      return { socialId: `urn:li:person:${sub}`, name, type: 'profile', picture };
    },
    publisher: createPostPublisher(version),
    numbers: createShareStatistics(version),
  });
