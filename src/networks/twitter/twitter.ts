import { twitter } from '../../domain/networks/twitter.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import { sumOf, type PostNumbers } from '../../domain/numbers/numbers.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import type { HttpClient } from '../http-client/http-client.js';
import { listAt, numberAt, textAt } from '../http-client/json-path.js';
import type { ErrorMapping, NetworkResponse } from '../http-client/network-response.js';
import { grantFailureCode } from '../oauth2/oauth2.js';
import { openXApi, POST_PUBLISHER } from './post-publisher.js';

/** The end of the type of a problem, such as `usage-capped`. */
const problemOf = (json: unknown): string => /[\w-]*$/.exec(textAt(json, 'type') ?? '')![0];

/** Whether the credit of the operator's app is used up: waiting does not fill it. */
const isCreditUsedUp = ({ status, json }: NetworkResponse): boolean =>
  status === 402 || (status >= 400 && problemOf(json) === 'usage-capped');

/** Failures by the type of the problem. */
const FAILURES: Readonly<Record<string, NetworkFailureCode>> = {
  'unsupported-authentication': 'NETWORK_REAUTHORIZATION_NEEDED',
  'user-suspended': 'NETWORK_REAUTHORIZATION_NEEDED',
};

function failureCode(response: NetworkResponse): NetworkFailureCode | null {
  const { status, json } = response;
  if (status < 400) return null;
  if (isCreditUsedUp(response)) return 'NETWORK_FORBIDDEN';
  const isDuplicate = status === 403 && /duplicate content/i.test(textAt(json, 'detail') ?? '');
  return isDuplicate
    ? 'NETWORK_DUPLICATE'
    : (FAILURES[problemOf(json)] ?? grantFailureCode(response));
}

/** The windows of a rate limit: of the request, and of the account in 24 hours. */
const WINDOWS = ['x-rate-limit', 'x-user-limit-24hour', 'x-app-limit-24hour'];

/** Seconds until the last of the windows that are used up ends; null if no header says. */
function secondsToReset({ status, headers }: NetworkResponse, now: Date): number | null {
  if (status !== 429) return null;
  const ends = WINDOWS.filter((name) => headers.get(`${name}-remaining`) === '0')
    .map((name) => Number(headers.get(`${name}-reset`)))
    .filter((end) => end > 0);
  return ends.length === 0 ? null : Math.max(...ends) - Math.floor(now.getTime() / 1_000);
}

/** Error mapping of all calls: problem details (RFC 9457), or OAuth's form at the token endpoint. */
export const TWITTER_ERRORS: ErrorMapping = {
  errorMessage: (json) =>
    textAt(json, 'detail') ?? textAt(json, 'title') ?? textAt(json, 'error_description'),
  failureCode,
  retryAfterSeconds: secondsToReset,
  isOperators: isCreditUsedUp,
};

/** Votes of the options of the poll of a post; null if it has none. */
function pollVotes(post: unknown, found: unknown): number[] | null {
  const [id] = listAt(post, 'attachments', 'poll_ids');
  const poll = listAt(found, 'includes', 'polls').find((one) => textAt(one, 'id') === id);
  const votes = listAt(poll, 'options').flatMap((option) => numberAt(option, 'votes') ?? []);
  return votes.length > 0 ? votes : null;
}

/** The API is about to rename reposts; both names are read. */
function toNumbers(post: unknown, found: unknown): PostNumbers {
  const count = (metric: string): number | null => numberAt(post, 'public_metrics', metric);
  return {
    likes: count('like_count'),
    comments: count('reply_count'),
    shares: sumOf([count('retweet_count') ?? count('repost_count'), count('quote_count')]),
    saves: count('bookmark_count'),
    pollVotes: pollVotes(post, found),
  };
}

/** X: POST /2/tweets; files are uploaded in pieces before. */
export const createTwitter = (http: HttpClient): NetworkAdapter =>
  createAdapter(http, twitter, {
    errors: TWITTER_ERRORS,
    async check(client, credentials) {
      const me = await openXApi(client, credentials).request(
        'GET',
        '/users/me?user.fields=profile_image_url',
      );
      const socialId = textAt(me, 'data', 'id') ?? client.throwMissing('ID');
      const username = textAt(me, 'data', 'username');
      return {
        socialId,
        name: username === null ? socialId : `@${username}`,
        type: 'profile',
        picture: textAt(me, 'data', 'profile_image_url'),
      };
    },
    publisher: POST_PUBLISHER,
    numbers: {
      maxPosts: 100,
      intervalMs: 60_000,
      async read(client, credentials, ids) {
        const query = new URLSearchParams({
          ids: ids.join(),
          'tweet.fields': 'attachments,public_metrics',
          expansions: 'attachments.poll_ids',
        });
        const found = await openXApi(client, credentials).request('GET', `/tweets?${query}`);
        const isAnswer = found !== null && typeof found === 'object';
        if (!isAnswer || !('data' in found || 'errors' in found)) client.throwMissing('posts');
        return new Map(
          listAt(found, 'data').map((post) => [textAt(post, 'id') ?? '', toNumbers(post, found)]),
        );
      },
    },
  });
