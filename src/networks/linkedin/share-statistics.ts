import type { PostNumbers } from '../../domain/numbers/numbers.js';
import type { NumbersDefinition } from '../adapter.js';
import { listAt, numberAt, textAt, valueAt } from '../http-client/json-path.js';
import { throwRequestError } from '../http-client/network-response.js';
import { openLinkedinApi, type LinkedinApi, type LinkedinCredentials } from './linkedin-api.js';

/** Posts by what their URNs are called: the parameter, and the key of the results. */
const KINDS = [
  { parameter: 'shares', key: 'share', prefix: 'urn:li:share:' },
  { parameter: 'ugcPosts', key: 'ugcPost', prefix: 'urn:li:ugcPost:' },
] as const;

/** LinkedIn leaves some counts below zero for a moment. */
function toNumbers(statistics: unknown): PostNumbers {
  const count = (metric: string): number | null => {
    const value = numberAt(statistics, metric);
    return value === null ? null : Math.max(0, value);
  };
  return {
    reach: count('uniqueImpressionsCount'),
    likes: count('likeCount'),
    comments: count('commentCount'),
    shares: count('shareCount'),
    postClicks: count('clickCount'),
  };
}

async function readKind(
  api: LinkedinApi,
  page: string,
  { parameter, key, urns }: { parameter: string; key: string; urns: readonly string[] },
): Promise<[string, PostNumbers][]> {
  const list = `List(${urns.map(encodeURIComponent).join()})`;
  const found = await api.request(
    'GET',
    `/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${encodeURIComponent(page)}&${parameter}=${list}`,
  );
  if (!Array.isArray(valueAt(found, 'elements'))) api.client.throwMissing('list of statistics');
  return listAt(found, 'elements').map((element) => [
    textAt(element, key) ?? '',
    toNumbers(valueAt(element, 'totalShareStatistics')),
  ]);
}

/**
 * Numbers of posts of a page, by one call for each kind of URN. LinkedIn leaves out posts without
 * views, as well as those that are gone. A page whose app is in development may send 100 requests a
 * day.
 */
export const createShareStatistics = (
  version: string,
): NumbersDefinition<keyof LinkedinCredentials> => ({
  maxPosts: 50,
  intervalMs: 1_800_000,
  async read(client, credentials, urns) {
    if (credentials.organization === '')
      throwRequestError('NETWORK_FORBIDDEN', 'The gateway reads metrics of LinkedIn pages only.');
    const api = openLinkedinApi(client, { credentials, version });
    const page = await api.findAuthor();
    const numbers = new Map<string, PostNumbers | null>(urns.map((urn) => [urn, null]));
    for (const { prefix, ...kind } of KINDS) {
      const ofKind = urns.filter((urn) => urn.startsWith(prefix));
      if (ofKind.length === 0) continue;
      for (const [urn, found] of await readKind(api, page, { ...kind, urns: ofKind }))
        numbers.set(urn, found);
    }
    return numbers;
  },
});
