import { linkedin } from '../../domain/networks/linkedin.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import type { NetworkResponse } from '../http-client/network-response.js';
import { textAt, valueAt } from '../http-client/json-path.js';
import type { HttpClient } from '../http-client/http-client.js';

const BASE_URL = 'https://api.linkedin.com';

interface LinkedinOptions {
  /** YYYYMM. LinkedIn retires each version one year after its release. */
  readonly version: string;
  readonly baseUrl?: string;
}

/** LinkedIn profiles and pages: POST /rest/posts/{urn} as a PARTIAL_UPDATE of the commentary. */
export function createLinkedin(
  http: HttpClient,
  { version, baseUrl = BASE_URL }: LinkedinOptions,
): NetworkAdapter {
  const headersFor = (accessToken: string) => ({
    Authorization: `Bearer ${accessToken}`,
    'LinkedIn-Version': version,
    'X-Restli-Protocol-Version': '2.0.0',
  });
  return createAdapter(http, linkedin, {
    errors: {
      errorMessage,
      failureCode,
    },
    note: `Uses version ${version} of the LinkedIn API (LINKEDIN_VERSION).`,
    async edit(client, { remoteId, post }, { accessToken }) {
      await client.request('POST', `${baseUrl}/rest/posts/${encodeURIComponent(remoteId)}`, {
        headers: { ...headersFor(accessToken), 'X-RestLi-Method': 'PARTIAL_UPDATE' },
        json: { patch: { $set: { commentary: toLittleText(post.text) } } },
      });
    },
    async check(client, { accessToken, organization }) {
      if (organization !== '') {
        const page = await client.request(
          'GET',
          `${baseUrl}/rest/organizations/${encodeURIComponent(organization)}`,
          { headers: headersFor(accessToken) },
        );
        const name = textAt(page, 'localizedName') ?? client.throwMissing('name');
        return {
          socialId: `urn:li:organization:${organization}`,
          name,
          type: 'page',
          picture: null,
        };
      }
      const member = await client.request('GET', `${baseUrl}/v2/userinfo`, {
        headers: { Authorization: `Bearer ${accessToken}` },
      });
      const sub = textAt(member, 'sub') ?? client.throwMissing('member ID');
      return {
        socialId: `urn:li:person:${sub}`,
        name: textAt(member, 'name') ?? sub,
        type: 'profile',
        picture: textAt(member, 'picture'),
      };
    },
  });
}

const VERSION_EXPIRED = 'NONEXISTENT_VERSION';
const failureCode = ({ json }: NetworkResponse) =>
  valueAt(json, 'code') === VERSION_EXPIRED ? ('NETWORK_REFUSED' as const) : null;
function errorMessage(json: unknown): string | null {
  const message = textAt(json, 'message');
  return valueAt(json, 'code') === VERSION_EXPIRED
    ? `${message ?? 'the version is not active'} (set LINKEDIN_VERSION to an active version)`
    : message;
}

/** The `#` of a hashtag, or (captured) a reserved character. */
const HASHTAG_OR_RESERVED = /(?<![\p{L}\p{N}&/#])#(?=[\p{L}\p{N}])|([\\|{}@[\]()<>#*_~])/gu;

/**
 * Escapes a text as LinkedIn's "little text" format. An unescaped reserved character would start a
 * mention or a template and truncate the text. Hashtags are kept.
 */
export const toLittleText = (text: string): string =>
  text.replace(HASHTAG_OR_RESERVED, (match, reserved: string | undefined) =>
    reserved === undefined ? match : `\\${reserved}`,
  );
