import type { GOOGLE_CREDENTIALS } from '../../domain/networks/google.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { ErrorMapping, NetworkResponse } from '../http-client/network-response.js';
import { textAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';

/** Base URLs of the Google APIs; tests use one URL for all. */
export interface GoogleBaseUrls {
  readonly oauth: string;
  readonly posts: string;
  readonly places: string;
  readonly videos: string;
}
/** Production URLs. */
export const GOOGLE_BASE_URLS: GoogleBaseUrls = {
  oauth: 'https://oauth2.googleapis.com',
  posts: 'https://mybusiness.googleapis.com',
  places: 'https://mybusinessbusinessinformation.googleapis.com',
  videos: 'https://youtube.googleapis.com',
};

/** Credentials of a Google account. */
export type GoogleCredentials = Readonly<Record<keyof typeof GOOGLE_CREDENTIALS, string>>;

/**
 * Fetches an access token for one edit or check. Tokens are valid for an hour and are not stored.
 */
export async function fetchAccessToken(
  client: NetworkClient,
  { clientId, clientSecret, refreshToken }: GoogleCredentials,
  baseUrls: GoogleBaseUrls,
): Promise<string> {
  const body = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    refresh_token: refreshToken,
    grant_type: 'refresh_token',
  });
  const token =
    textAt(await client.request('POST', `${baseUrls.oauth}/token`, { body }), 'access_token') ??
    client.throwMissing('access token');
  client.addSecret(token);
  return token;
}

/** Failures by Google's error reasons, which are more specific than the status. */
const FAILURE_CODES: Readonly<Record<string, NetworkFailureCode>> = {
  quotaExceeded: 'NETWORK_RATE_LIMITED',
  rateLimitExceeded: 'NETWORK_RATE_LIMITED',
  userRateLimitExceeded: 'NETWORK_RATE_LIMITED',
  dailyLimitExceeded: 'NETWORK_RATE_LIMITED',
  authError: 'NETWORK_REAUTHORIZATION_NEEDED',
  videoNotFound: 'NETWORK_POST_DELETED',
};

function failureCode({ json }: NetworkResponse): NetworkFailureCode | null {
  // The token endpoint returns 400 for a revoked or expired refresh token.
  if (textAt(json, 'error') === 'invalid_grant') return 'NETWORK_REAUTHORIZATION_NEEDED';
  return FAILURE_CODES[textAt(json, 'error', 'errors', 0, 'reason') ?? ''] ?? null;
}

/** Error mapping shared by all Google APIs. */
export const GOOGLE_ERRORS: ErrorMapping = {
  failureCode,
  errorMessage: (json) =>
    textAt(json, 'error', 'message') ?? textAt(json, 'error_description') ?? textAt(json, 'error'),
};
