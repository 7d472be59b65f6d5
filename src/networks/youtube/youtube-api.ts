import type { AppClient } from '../../domain/connections/oauth-rules.js';
import { dayOf } from '../../domain/calendar/occurrence-dates.js';
import { zoneMidnight } from '../../domain/calendar/zone-time.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import { fetchAccessToken, GOOGLE_ERRORS, type GoogleCredentials } from '../google/google-api.js';
import { textAt } from '../http-client/json-path.js';
import type { NetworkClient, RequestOptions } from '../http-client/network-client.js';
import type { ErrorMapping, NetworkResponse } from '../http-client/network-response.js';

/** The data API's root. */
export const ROOT_URL = 'https://youtube.googleapis.com/';
/** Where files are sent. */
export const UPLOAD_URL = 'https://www.googleapis.com/upload/youtube/v3';

/** The data API, as one channel. */
export interface YoutubeApi {
  readonly client: NetworkClient;
  /** The OAuth client, whose quota the calls count toward. */
  readonly clientId: string;
  readonly authorization: { readonly Authorization: string };
  /** `path`: after the version. */
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>;
}

/** Opens the API for a channel. `app`: the client of accounts without one of their own. */
export async function openYoutubeApi(
  client: NetworkClient,
  credentials: GoogleCredentials,
  app: AppClient | null,
): Promise<YoutubeApi> {
  const authorization = {
    Authorization: `Bearer ${await fetchAccessToken(client, credentials, app)}`,
  };
  return {
    client,
    clientId: credentials.clientId || (app?.clientId ?? ''),
    authorization,
    request: (method, path, options) =>
      client.request(method, `${ROOT_URL}youtube/v3${path}`, {
        ...options,
        headers: authorization,
      }),
  };
}

/** Google's reason of an error. */
export const reasonOf = (json: unknown): string =>
  textAt(json, 'error', 'errors', 0, 'reason') ?? '';

const QUOTA_REASONS = ['quotaExceeded', 'dailyLimitExceeded'];

/** Whether the quota of the OAuth client is used up, for the channels of all accounts. */
export const isQuotaExceeded = (json: unknown): boolean => QUOTA_REASONS.includes(reasonOf(json));

const DAY_SECONDS = 86_400;
/** Where Google's days begin and end. */
const QUOTA_ZONE = 'America/Los_Angeles';

/** Seconds until Google's quotas begin anew: midnight Pacific Time. */
export function secondsToNewQuota(now: Date): number {
  const tomorrow = new Date((dayOf(now, QUOTA_ZONE) + 1) * DAY_SECONDS * 1_000);
  const midnight = zoneMidnight(tomorrow.toISOString().slice(0, 10), QUOTA_ZONE);
  return Math.ceil((midnight.getTime() - now.getTime()) / 1_000);
}

/** The channel has reached its own number of uploads in 24 hours. */
const UPLOAD_LIMIT = 'uploadLimitExceeded';

/**
 * 308 asks for more of a file. A session that is not found, a quota of the client, and the list of a
 * channel without videos are answers that the publisher reads itself.
 */
function isAnswer({ method, url, status, json }: NetworkResponse): boolean {
  if (url.searchParams.has('upload_id')) return [308, 404, 410].includes(status);
  if (url.pathname.endsWith('/upload/youtube/v3/videos')) return isQuotaExceeded(json);
  return method === 'GET' && reasonOf(json) === 'playlistNotFound';
}

function failureCode(response: NetworkResponse): NetworkFailureCode | 'ok' | null {
  if (isAnswer(response)) return 'ok';
  return reasonOf(response.json) === UPLOAD_LIMIT
    ? 'NETWORK_RATE_LIMITED'
    : (GOOGLE_ERRORS.failureCode?.(response) ?? null);
}

/** Error mapping of all calls. */
export const YOUTUBE_ERRORS: ErrorMapping = {
  ...GOOGLE_ERRORS,
  failureCode,
  retryAfterSeconds({ json }, now) {
    if (reasonOf(json) === UPLOAD_LIMIT) return DAY_SECONDS;
    return isQuotaExceeded(json) ? secondsToNewQuota(now) : null;
  },
};
