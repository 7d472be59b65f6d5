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

/** Credentials of a Google account: an OAuth client, and the user's refresh token for it. */
export const GOOGLE_CREDENTIAL_FIELDS = {
  clientId: { description: 'OAuth client ID.', secret: false },
  clientSecret: { description: 'OAuth client secret.', secret: true },
  refreshToken: {
    description: 'Refresh token that the user granted to this client, with offline access.',
    secret: true,
  },
} as const;
/** Values of GOOGLE_CREDENTIAL_FIELDS. */
export type GoogleCredentials = Readonly<Record<keyof typeof GOOGLE_CREDENTIAL_FIELDS, string>>;

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
