import type { linkedin } from '../../domain/networks/linkedin.js';
import { textAt, valueAt } from '../http-client/json-path.js';
import type { NetworkClient, RequestOptions } from '../http-client/network-client.js';
import type { ErrorMapping, NetworkResponse } from '../http-client/network-response.js';
import { grantFailureCode } from '../oauth2/oauth2.js';

/** Base of all calls. */
export const LINKEDIN_API = 'https://api.linkedin.com';

/** The headers of calls below `/rest`. */
export const linkedinHeaders = (version: string, accessToken: string) => ({
  Authorization: `Bearer ${accessToken}`,
  'LinkedIn-Version': version,
  'X-Restli-Protocol-Version': '2.0.0',
});

/** Credentials of a member, or of a member who administers a page. */
export type LinkedinCredentials = Readonly<
  Record<keyof typeof linkedin.adapter.credentials, string>
>;

/** The API below `/rest`, as a member or a page. */
export interface LinkedinApi {
  readonly client: NetworkClient;
  readonly accessToken: string;
  /** Numeric ID of the page; empty for a member. */
  readonly organization: string;
  send(method: string, path: string, options?: RequestOptions): Promise<Response>;
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>;
  /** URN of the member or the page. */
  findAuthor(): Promise<string>;
}

interface OpenedApi {
  readonly credentials: LinkedinCredentials;
  readonly version: string;
}

/** Opens the API for an account. `version` is YYYYMM. */
export function openLinkedinApi(
  client: NetworkClient,
  { credentials: { accessToken, organization }, version }: OpenedApi,
): LinkedinApi {
  const withHeaders = (options: RequestOptions = {}): RequestOptions => ({
    ...options,
    headers: { ...linkedinHeaders(version, accessToken), ...options.headers },
  });
  return {
    client,
    accessToken,
    organization,
    send: (method, path, options) =>
      client.send(method, `${LINKEDIN_API}/rest${path}`, withHeaders(options)),
    request: (method, path, options) =>
      client.request(method, `${LINKEDIN_API}/rest${path}`, withHeaders(options)),
    findAuthor: async () =>
      organization === ''
        ? `urn:li:person:${await findMember(client, accessToken).then(({ sub }) => sub)}`
        : `urn:li:organization:${organization}`,
  };
}

/** The member whose token it is. */
export async function findMember(client: NetworkClient, accessToken: string) {
  const member = await client.request('GET', `${LINKEDIN_API}/v2/userinfo`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  const sub = textAt(member, 'sub') ?? client.throwMissing('member ID');
  return { sub, name: textAt(member, 'name') ?? sub, picture: textAt(member, 'picture') };
}

/** The error code of a response, which stands in one of two places. */
export const errorCodeOf = (json: unknown): string | null =>
  textAt(json, 'errorDetails', 'inputErrors', 0, 'code') ?? textAt(json, 'code');

/** Errors of the call that publishes, which the publisher reads itself. */
export const PUBLISH_ERRORS = {
  duplicate: 'DUPLICATE_POST',
  notYet: 'MEDIA_ASSET_WAITING_UPLOAD',
} as const;

const isPublishError = ({ method, status, url, json }: NetworkResponse): boolean =>
  method === 'POST' &&
  (status === 400 || status === 422) &&
  url.pathname.endsWith('/rest/posts') &&
  (Object.values(PUBLISH_ERRORS) as (string | null)[]).includes(errorCodeOf(json));

const VERSION_EXPIRED = 'NONEXISTENT_VERSION';
function errorMessage(json: unknown): string | null {
  const message = textAt(json, 'message');
  return valueAt(json, 'code') === VERSION_EXPIRED
    ? `${message ?? 'the version is not active'} (set LINKEDIN_VERSION to an active version)`
    : message;
}

const DAY_SECONDS = 86_400;

/** Error mapping of all calls; the token endpoint writes errors in the form of OAuth. */
export const LINKEDIN_ERRORS: ErrorMapping = {
  errorMessage: (json) => errorMessage(json) ?? textAt(json, 'error_description'),
  failureCode: (response) =>
    isPublishError(response)
      ? 'ok'
      : valueAt(response.json, 'code') === VERSION_EXPIRED
        ? 'NETWORK_REFUSED'
        : grantFailureCode(response),
  // Limits apply to a day and end at midnight UTC, which LinkedIn's responses do not say.
  retryAfterSeconds: ({ status, headers }, now) =>
    status === 429 && !headers.has('retry-after') && !headers.has('x-ratelimit-reset')
      ? DAY_SECONDS - (Math.floor(now.getTime() / 1_000) % DAY_SECONDS)
      : null,
};

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
