import { pinterest } from '../../domain/networks/pinterest.js';
import type { PostNumbers } from '../../domain/numbers/numbers.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter, readEach } from '../adapter.js';
import type { HttpClient } from '../http-client/http-client.js';
import { numberAt, textAt } from '../http-client/json-path.js';
import type { ErrorMapping, NetworkResponse } from '../http-client/network-response.js';
import { openPinterestApi, PIN_PUBLISHER } from './pin-publisher.js';

/** Error code of a token without the permission: a new token would not have it either. */
const SCOPE_MISSING = 3;
/** A reset from here on is a Unix time in seconds; a smaller one is a number of seconds. */
const MIN_UNIX_TIME = 1_000_000_000;

function failureCode({ method, status, url, json }: NetworkResponse) {
  const message = textAt(json, 'message') ?? '';
  if (status === 401 && numberAt(json, 'code') === SCOPE_MISSING) return 'NETWORK_FORBIDDEN';
  // The account is blocked: waiting does not help.
  if (status === 429 && /\bspam/i.test(message)) return 'NETWORK_FORBIDDEN';
  // The cover of a video could not be fetched, which may succeed later.
  if (status === 400 && /unable to reach the url/i.test(message)) return 'NETWORK_UNAVAILABLE';
  const isUnknownBoard =
    status === 404 && json !== undefined && method !== 'DELETE' && url.pathname.endsWith('/pins');
  return isUnknownBoard ? 'NETWORK_REFUSED' : null;
}

/** Error mapping of all calls. */
export const PINTEREST_ERRORS: ErrorMapping = {
  errorMessage: (json) => textAt(json, 'message'),
  failureCode,
  retryAfterSeconds({ status, headers }, now) {
    const reset = Number(headers.get('x-ratelimit-reset') ?? NaN);
    if (status !== 429 || Number.isNaN(reset)) return null;
    return reset >= MIN_UNIX_TIME ? reset - Math.floor(now.getTime() / 1_000) : reset;
  },
};

/** What Pinterest counts of a pin since it was created. */
function toNumbers(pin: unknown): PostNumbers {
  const count = (metric: string): number | null =>
    numberAt(pin, 'pin_metrics', 'lifetime_metrics', metric);
  return {
    likes: count('reaction'),
    comments: count('comment'),
    saves: count('save'),
    linkClicks: count('clickthrough'),
    postClicks: count('pin_click'),
  };
}

/** Pinterest: pins of an account, by version 5 of the API. */
export const createPinterest = (http: HttpClient): NetworkAdapter =>
  createAdapter(http, pinterest, {
    errors: PINTEREST_ERRORS,
    async check(client, credentials) {
      const account = await openPinterestApi(client, credentials).request('GET', '/user_account');
      const username = textAt(account, 'username') ?? client.throwMissing('user name');
      return {
        socialId: textAt(account, 'id') ?? username,
        name: textAt(account, 'business_name') ?? username,
        type: textAt(account, 'account_type') === 'BUSINESS' ? 'business' : 'profile',
        picture: textAt(account, 'profile_image'),
      };
    },
    publisher: PIN_PUBLISHER,
    numbers: {
      maxPosts: 20,
      intervalMs: 60_000,
      errors: {
        ...PINTEREST_ERRORS,
        failureCode: (response) => (response.status === 404 ? 'ok' : failureCode(response)),
      },
      read(client, credentials, ids) {
        const api = openPinterestApi(client, credentials);
        return readEach(ids, async (id) => {
          const pin = await api.request('GET', `/pins/${id}?pin_metrics=true`);
          return textAt(pin, 'id') === null ? null : toNumbers(pin);
        });
      },
    },
  });
