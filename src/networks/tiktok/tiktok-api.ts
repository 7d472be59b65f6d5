import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import { textAt } from '../http-client/json-path.js';
import type { NetworkClient, RequestOptions } from '../http-client/network-client.js';
import type { ErrorMapping, NetworkResponse } from '../http-client/network-response.js';
import { grantFailureCode } from '../oauth2/oauth2.js';

const BASE_URL = 'https://open.tiktokapis.com/v2';
/** The hosts that take the pieces of videos. Their addresses contain a key of their own. */
export const UPLOAD_HOSTS = /^(open-)?upload[a-z0-9.-]*\.tiktokapis\.com$/;

/** Version 2 of the API, as one account. */
export interface TiktokApi {
  readonly client: NetworkClient;
  /** `path`: after the version. Returns the JSON, with IDs of more than 15 digits as text. */
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>;
  /** The same; null if the request fails. */
  requestOptional(method: string, path: string, options?: RequestOptions): Promise<unknown>;
}

/** TikTok writes IDs as numbers that JavaScript does not hold. */
const withTextIds = (json: string): string =>
  json.replace(/(?<=[[,:]\s*)\d{16,}(?=\s*[\],}])/g, '"$&"');

/** Opens the API with the token of a person. */
export function openTiktokApi(
  client: NetworkClient,
  { accessToken }: { readonly accessToken: string },
): TiktokApi {
  const headers = { Authorization: `Bearer ${accessToken}` };
  return {
    client,
    async request(method, path, options) {
      const response = await client.send(method, `${BASE_URL}${path}`, { ...options, headers });
      const text = await response.text();
      return text === '' ? undefined : (JSON.parse(withTextIds(text)) as unknown);
    },
    requestOptional: (method, path, options) =>
      client.requestOptional(method, `${BASE_URL}${path}`, { ...options, headers }),
  };
}

/** The code of a publication that TikTok does not know, or no longer. */
export const UNKNOWN_PUBLICATION = 'invalid_publish_id';

/** Failures by the code in the body, which an answer with status 200 may have. */
const FAILURE_CODES: Readonly<Record<string, NetworkFailureCode>> = {
  access_token_invalid: 'NETWORK_REAUTHORIZATION_NEEDED',
  scope_not_authorized: 'NETWORK_REAUTHORIZATION_NEEDED',
  rate_limit_exceeded: 'NETWORK_RATE_LIMITED',
  internal_error: 'NETWORK_UNAVAILABLE',
  // What follows is over after a day.
  spam_risk: 'NETWORK_RATE_LIMITED',
  spam_risk_too_many_posts: 'NETWORK_RATE_LIMITED',
  spam_risk_too_many_pending_share: 'NETWORK_RATE_LIMITED',
  reached_active_user_cap: 'NETWORK_RATE_LIMITED',
  // What follows is a matter of the person or the operator.
  spam_risk_user_banned_from_posting: 'NETWORK_FORBIDDEN',
  unaudited_client_can_only_post_to_private_accounts: 'NETWORK_FORBIDDEN',
  url_ownership_unverified: 'NETWORK_FORBIDDEN',
  privacy_level_option_mismatch: 'NETWORK_REFUSED',
};
const DAY_SECONDS = 86_400;

/** The code of an error; null on success. The token endpoint writes errors in the form of OAuth. */
export function errorCodeOf(json: unknown): string | null {
  const code = textAt(json, 'error', 'code') ?? textAt(json, 'error');
  return code === 'ok' ? null : code;
}

/**
 * What an upload says about a piece that it did not take, which the publisher reads itself. A page
 * of HTML is from a proxy.
 */
const isUploadAnswer = ({ url, status, text, json }: NetworkResponse): boolean =>
  UPLOAD_HOSTS.test(url.host) &&
  [403, 404, 410, 416].includes(status) &&
  (text === '' || json !== undefined);

/** Error mapping of all calls. */
export const TIKTOK_ERRORS: ErrorMapping = {
  failureCode(response) {
    const { status, json } = response;
    const code = errorCodeOf(json);
    if (isUploadAnswer(response) || code === UNKNOWN_PUBLICATION) return 'ok';
    if (code === null) return null;
    const refused = status === 200 ? ('NETWORK_REFUSED' as const) : null;
    return FAILURE_CODES[code] ?? grantFailureCode(response) ?? refused;
  },
  errorMessage: (json) => textAt(json, 'error', 'message') ?? textAt(json, 'error_description'),
  retryAfterSeconds({ json }) {
    const code = errorCodeOf(json) ?? '';
    return FAILURE_CODES[code] === 'NETWORK_RATE_LIMITED' && code !== 'rate_limit_exceeded'
      ? DAY_SECONDS
      : null;
  },
};
