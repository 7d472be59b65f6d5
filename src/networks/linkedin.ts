import type { NetworkAdapter } from '../services/networks/network-ports.js';
import { createAdapter } from './adapter.js';
import type { Answer } from './http-client/answer.js';
import { textAt, valueAt } from './http-client/json-path.js';
import type { Web } from './http-client/web.js';

const ROOT = 'https://api.linkedin.com';

interface LinkedinOptions {
  /** YYYYMM: LinkedIn ends each version a year after it began. */
  readonly version: string;
  readonly root?: string;
}

/** The professional network: POST /rest/posts/{urn} as a PARTIAL_UPDATE of the commentary. */
export function createLinkedin(
  web: Web,
  { version, root = ROOT }: LinkedinOptions,
): NetworkAdapter {
  const headersFor = (accessToken: string) => ({
    Authorization: `Bearer ${accessToken}`,
    'LinkedIn-Version': version,
    'X-Restli-Protocol-Version': '2.0.0',
  });
  const words = (json: unknown): string | null => textAt(json, 'message');
  return createAdapter(web, {
    dialect: {
      name: 'LinkedIn',
      words: (json) => withAdvice(words(json), json),
      exception: refusedVersion,
    },
    verified: false,
    note: `The text, through version ${version} of LinkedIn’s interface (LINKEDIN_VERSION).`,
    credentials: {
      accessToken: {
        meaning:
          'An access token with w_member_social and the scopes openid and profile, or for a page w_organization_social and r_organization_social.',
        secret: true,
      },
      organization: {
        meaning: 'The number of the organization, for a page; empty for the member’s own profile.',
        secret: false,
        optional: true,
      },
    },
    remoteId: /^urn:li:(share|ugcPost):\d+$/,
    async edit(line, { remoteId, post }, { accessToken }) {
      await line.ask('POST', `${root}/rest/posts/${encodeURIComponent(remoteId)}`, {
        headers: { ...headersFor(accessToken), 'X-RestLi-Method': 'PARTIAL_UPDATE' },
        json: { patch: { $set: { commentary: littleText(post.text) } } },
      });
    },
    async check(line, { accessToken, organization }) {
      if (organization !== '') {
        const page = await line.ask(
          'GET',
          `${root}/rest/organizations/${encodeURIComponent(organization)}`,
          { headers: headersFor(accessToken) },
        );
        const name = textAt(page, 'localizedName') ?? line.unreadable('name');
        return {
          socialId: `urn:li:organization:${organization}`,
          name,
          type: 'page',
          picture: null,
        };
      }
      const member = await line.ask('GET', `${root}/v2/userinfo`, {
        headers: { Authorization: `Bearer ${accessToken}` },
      });
      const sub = textAt(member, 'sub') ?? line.unreadable('member');
      return {
        socialId: `urn:li:person:${sub}`,
        name: textAt(member, 'name') ?? sub,
        type: 'profile',
        picture: textAt(member, 'picture'),
      };
    },
  });
}

const NO_SUCH_VERSION = 'NONEXISTENT_VERSION';
const refusedVersion = ({ json }: Answer) =>
  valueAt(json, 'code') === NO_SUCH_VERSION ? ('NETWORK_REFUSED' as const) : null;
const withAdvice = (words: string | null, json: unknown): string | null =>
  valueAt(json, 'code') === NO_SUCH_VERSION
    ? `${words ?? 'the version is not active'} (set LINKEDIN_VERSION to one that is)`
    : words;

/** A sign that begins a hashtag, or (captured) a reserved character. */
const HASHTAG_OR_RESERVED = /(?<![\p{L}\p{N}&/#])#(?=[\p{L}\p{N}])|([\\|{}@[\]()<>#*_~])/gu;

/**
 * A text as LinkedIn's "little text": a reserved character that is not escaped would begin a mention or a template, and
 * the text would end there. Hashtags stay what they are.
 */
export const littleText = (text: string): string =>
  text.replace(HASHTAG_OR_RESERVED, (found, reserved: string | undefined) =>
    reserved === undefined ? found : `\\${reserved}`,
  );
