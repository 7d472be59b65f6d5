import type { AppClient } from '../../domain/connections/oauth-rules.js';
import type { googleCredentials } from '../../domain/networks/google.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import {
  throwRequestError,
  type ErrorMapping,
  type NetworkResponse,
} from '../http-client/network-response.js';
import { grantFailureCode } from '../oauth2/oauth2.js';
import { listAt, textAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';

/** Credentials of a Google account. */
export type GoogleCredentials = Readonly<
  Record<keyof ReturnType<typeof googleCredentials>, string>
>;

/**
 * Fetches an access token for one edit or check. Tokens are valid for an hour and are not stored.
 * `app`: the client of accounts without one of their own.
 */
export async function fetchAccessToken(
  client: NetworkClient,
  { clientId, clientSecret, refreshToken }: GoogleCredentials,
  app: AppClient | null,
): Promise<string> {
  const own = clientId === '' ? app : { clientId, clientSecret };
  if (own === null)
    throwRequestError(
      'NETWORK_NOT_CONNECTED',
      'The gateway has no OAuth client at Google, and neither has the account. Set the client ID and secret.',
    );
  client.addSecret(own.clientSecret);
  const body = new URLSearchParams({
    client_id: own.clientId,
    client_secret: own.clientSecret,
    refresh_token: refreshToken,
    grant_type: 'refresh_token',
  });
  const token =
    textAt(await client.request('POST', TOKEN_URL, { body }), 'access_token') ??
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

const failureCode = (response: NetworkResponse): NetworkFailureCode | null =>
  grantFailureCode(response) ??
  FAILURE_CODES[textAt(response.json, 'error', 'errors', 0, 'reason') ?? ''] ??
  null;

/** What Google says of single fields, which its message does not repeat. */
const fieldMessages = (json: unknown): string | null =>
  listAt(json, 'error', 'details')
    .flatMap((detail) => listAt(detail, 'errorDetails'))
    .map((detail) =>
      [textAt(detail, 'field'), textAt(detail, 'message')].filter(Boolean).join(': '),
    )
    .join(' ') || null;

/** Error mapping shared by all Google APIs. */
export const GOOGLE_ERRORS: ErrorMapping = {
  failureCode,
  errorMessage: (json) =>
    fieldMessages(json) ??
    textAt(json, 'error', 'message') ??
    textAt(json, 'error_description') ??
    textAt(json, 'error'),
};
