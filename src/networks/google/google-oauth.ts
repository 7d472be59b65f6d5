import { textAt } from '../http-client/json-path.js';
import type { Line } from '../http-client/network-client.js';

/** Where Google's interfaces live; tests put one address in the place of all. */
export interface GoogleRoots {
  readonly oauth: string;
  readonly posts: string;
  readonly places: string;
  readonly videos: string;
}
export const GOOGLE_ROOTS: GoogleRoots = {
  oauth: 'https://oauth2.googleapis.com',
  posts: 'https://mybusiness.googleapis.com',
  places: 'https://mybusinessbusinessinformation.googleapis.com',
  videos: 'https://youtube.googleapis.com',
};

/** What stands for an account of Google: an application, and the user's leave to it. */
export const GOOGLE_CREDENTIALS = {
  clientId: { meaning: 'The OAuth client’s id.', secret: false },
  clientSecret: { meaning: 'The OAuth client’s secret.', secret: true },
  refreshToken: {
    meaning: 'A refresh token of the user, given for this client with offline access.',
    secret: true,
  },
} as const;
export type GoogleKeys = Readonly<Record<keyof typeof GOOGLE_CREDENTIALS, string>>;

/** An access token for this conversation: they live an hour, and are kept nowhere. */
export async function accessToken(
  line: Line,
  { clientId, clientSecret, refreshToken }: GoogleKeys,
  roots: GoogleRoots,
): Promise<string> {
  const body = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    refresh_token: refreshToken,
    grant_type: 'refresh_token',
  });
  const token =
    textAt(await line.ask('POST', `${roots.oauth}/token`, { body }), 'access_token') ??
    line.unreadable('access token');
  line.keepSecret(token);
  return token;
}
