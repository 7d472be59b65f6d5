import type { AppClient } from '../../domain/connections/oauth-rules.js';
import { localPostOf, topicOf, type google } from '../../domain/networks/google.js';
import type {
  LivePost,
  PublicationTarget,
  SentPost,
} from '../../services/networks/network-ports.js';
import { comparableText } from '../html-text.js';
import { textAt, valueAt } from '../http-client/json-path.js';
import type { NetworkClient, RequestOptions } from '../http-client/network-client.js';
import { NetworkRequestError, throwRequestError } from '../http-client/network-response.js';
import { preparedNow, type PublisherDefinition } from '../publisher.js';
import { fetchAccessToken } from './google-api.js';

/** Base of the calls about posts. */
export const POSTS_URL = 'https://mybusiness.googleapis.com/v4';

/** The posts of one location. */
interface LocationApi {
  readonly client: NetworkClient;
  /** `accounts/…/locations/…` */
  readonly location: string;
  /** `path`: resource names, after the version. */
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>;
}

async function openLocation(
  client: NetworkClient,
  credentials: Readonly<Record<keyof typeof google.adapter.credentials, string>>,
  app: AppClient | null,
): Promise<LocationApi> {
  const { location, ...user } = credentials;
  if (!/^accounts\/\d+\/locations\/\d+$/.test(location))
    throwRequestError(
      'NETWORK_NOT_CONNECTED',
      'Google publishes posts only with the account of the location. Connect the account again, with a location such as accounts/123456/locations/1234567890.',
    );
  const headers = { Authorization: `Bearer ${await fetchAccessToken(client, user, app)}` };
  return {
    client,
    location,
    request: (method, path, options) =>
      client.request(method, `${POSTS_URL}/${path}`, { ...options, headers }),
  };
}

const toBody = ({ post, timeZone = 'UTC' }: PublicationTarget): object =>
  localPostOf(post, timeZone);

const toLivePost = (name: string, post: unknown): LivePost => ({
  kind: 'live',
  remoteId: name,
  url: textAt(post, 'searchUrl'),
});

const REJECTED = 'Google rejected the post: it does not follow Google’s policy for posts.';

/** The maximum of the API. */
const PAGE_SIZE = 100;
const MAX_PAGES = 3;
/** Differences between the clocks of the service and of Google. */
const CLOCK_TOLERANCE_MS = 120_000;

const createdAt = (post: unknown): number => Date.parse(textAt(post, 'createTime') ?? '');

function isSamePost(found: unknown, { post }: SentPost): boolean {
  const title = topicOf(post) === 'STANDARD' ? '' : (post.details?.title ?? '');
  return (
    (textAt(found, 'topicType') ?? 'STANDARD') === topicOf(post) &&
    comparableText(textAt(found, 'summary') ?? '') === comparableText(post.text) &&
    comparableText(textAt(found, 'event', 'title') ?? '') === comparableText(title)
  );
}

/** The post that was sent, null if it is not there; undefined if more posts are listed than read. */
async function findPost(api: LocationApi, sent: SentPost): Promise<unknown> {
  const since = sent.sentAt.getTime() - CLOCK_TOLERANCE_MS;
  let pageToken: string | null = '';
  for (let page = 0; page < MAX_PAGES && pageToken !== null; page += 1) {
    const query = new URLSearchParams({
      pageSize: String(PAGE_SIZE),
      ...(pageToken && { pageToken }),
    });
    const listed = await api.request('GET', `${api.location}/localPosts?${query.toString()}`);
    // A location without posts has no list.
    const posts = valueAt(listed, 'localPosts') ?? [];
    if (!Array.isArray(posts)) return api.client.throwMissing('list of posts');
    const own = posts.find((post) => createdAt(post) >= since && isSamePost(post, sent)) as unknown;
    if (own !== undefined) return own;
    pageToken = textAt(listed, 'nextPageToken');
  }
  return pageToken === null ? null : undefined;
}

/**
 * Publishes posts of a location. Google takes no keys and refuses no duplicates: after a call
 * without a response, the post is looked for among those of the location. Google checks some posts
 * first, and rejects some of them afterwards.
 */
export const createLocalPostPublisher = (
  app: AppClient | null,
): PublisherDefinition<keyof typeof google.adapter.credentials, LocationApi> => ({
  connect: (client, credentials) => openLocation(client, credentials, app),
  prepare: async ({ client }) => preparedNow(client),
  async publish(api, sent) {
    const created = await api.request('POST', `${api.location}/localPosts`, {
      json: toBody(sent),
    });
    const name = textAt(created, 'name') ?? api.client.throwMissing('name of the post');
    const state = textAt(created, 'state');
    if (state === 'REJECTED')
      throw new NetworkRequestError({ kind: 'failed', code: 'NETWORK_REFUSED', message: REJECTED });
    return state === 'PROCESSING' ? { kind: 'processing' } : toLivePost(name, created);
  },
  async look(api, sent) {
    const found = await findPost(api, sent);
    if (found === undefined) return { kind: 'cannot_tell' };
    if (found === null) return { kind: 'not_there' };
    const state = textAt(found, 'state');
    if (state === 'PROCESSING') return { kind: 'processing' };
    return state === 'REJECTED'
      ? { kind: 'rejected', message: REJECTED }
      : toLivePost(textAt(found, 'name') ?? api.client.throwMissing('name of the post'), found);
  },
  async remove(api, remoteId) {
    await api.request('DELETE', remoteId);
  },
});
