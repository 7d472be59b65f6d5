import { threads, threadsTextOf } from '../../domain/networks/threads.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import { sumOf, type PostNumbers } from '../../domain/numbers/numbers.js';
import type { Media } from '../../domain/posts/post-content.js';
import type { Post } from '../../domain/posts/post.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter, readEach } from '../adapter.js';
import type { HttpClient } from '../http-client/http-client.js';
import { textAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import type { NetworkResponse } from '../http-client/network-response.js';
import {
  containerPublisher,
  type ContainerNetwork,
  type ContainerStatus,
} from '../meta/container-publisher.js';
import {
  graphError,
  graphErrors,
  openGraphApi,
  type GraphApi,
  type GraphParams,
} from '../meta/graph-api.js';
import { INSIGHTS_ERRORS, INSIGHTS_PACE, insightsOf, isGone } from '../meta/insights.js';

const URL = 'https://graph.threads.com/v1.0';
const CONTAINER_FIELDS = 'id,status,error_message';

const openThreads = (
  client: NetworkClient,
  { accessToken }: { readonly accessToken: string },
): GraphApi => openGraphApi(client, URL, accessToken);

/** Whether "not found" is the answer to a question about a container, which decides what follows. */
const isContainer = ({ method, url }: NetworkResponse): boolean =>
  method === 'GET' && url.searchParams.get('fields') === CONTAINER_FIELDS;

/** Failures by subcode: they came from publications that were live, and from some that were not. */
const DOUBTFUL = [4_279_009, 2_207_051];
const RESTRICTED_ACCOUNT = 4_279_013;
const NOT_FOUND_CODES = [24, 100];

function failureCode(response: NetworkResponse): NetworkFailureCode | 'ok' | null {
  const error = graphError(response.json);
  if (error === null) return null;
  const { code, subcode } = error;
  if (NOT_FOUND_CODES.includes(code) && isContainer(response)) return 'ok';
  if (NOT_FOUND_CODES.includes(code) && response.method === 'DELETE') return 'NETWORK_POST_DELETED';
  if (subcode === RESTRICTED_ACCOUNT) return 'NETWORK_FORBIDDEN';
  return subcode !== null && DOUBTFUL.includes(subcode) ? 'NETWORK_UNAVAILABLE' : null;
}

const OPTION_NAMES = ['option_a', 'option_b', 'option_c', 'option_d'];

const toFile = ({ type, url, altText }: Media): GraphParams => ({
  ...(type === 'video'
    ? { media_type: 'VIDEO', video_url: url }
    : { media_type: 'IMAGE', image_url: url }),
  ...(altText !== null && { alt_text: altText }),
});

/** What the container of a post consists of besides its text, by type. */
function contentOf(post: Post, items: readonly string[]): GraphParams {
  const { type, media, url, options } = post;
  if (type === 'carousel') return { media_type: 'CAROUSEL', children: items.join() };
  if (media[0]) return toFile(media[0]);
  if (type === 'link' && url !== null) return { media_type: 'TEXT', link_attachment: url };
  if (type !== 'poll') return { media_type: 'TEXT' };
  const named = options.map((option, index) => [OPTION_NAMES[index], option]);
  return { media_type: 'TEXT', poll_attachment: JSON.stringify(Object.fromEntries(named)) };
}

/** The type of a listed post. */
const LISTED_TYPES: Readonly<Partial<Record<Post['type'], string>>> = {
  photo: 'IMAGE',
  video: 'VIDEO',
  carousel: 'CAROUSEL_ALBUM',
};

const CONTAINERS: ContainerNetwork<keyof typeof threads.adapter.credentials, GraphApi> = {
  open: openThreads,
  edges: { create: 'threads', publish: 'threads_publish' },
  containerFields: CONTAINER_FIELDS,
  statusOf: (container) => textAt(container, 'status') as ContainerStatus | null,
  errorOf(container) {
    const reason = textAt(container, 'error_message') ?? 'UNKNOWN';
    const isFetch = reason === 'FAILED_DOWNLOADING_VIDEO' || reason === 'UNKNOWN';
    return { code: isFetch ? 'NETWORK_UNAVAILABLE' : 'NETWORK_REFUSED', reason };
  },
  toContainer(post, items) {
    const { text } = threadsTextOf(post);
    const { networkOptions, media } = post;
    return {
      ...contentOf(post, items),
      ...(text !== '' && { text }),
      ...(networkOptions?.replySettings && { reply_control: networkOptions.replySettings }),
      ...(networkOptions?.sensitive && media.length > 0 && { is_spoiler_media: 'true' }),
    };
  },
  toItem: (media) => ({ ...toFile(media), is_carousel_item: 'true' }),
  listOf: () => ({ edge: 'threads', fields: 'id,text,timestamp,permalink,media_type' }),
  textOfEntry: (_api, entry) => textAt(entry, 'text') ?? '',
  textOf: (post) => threadsTextOf(post).text,
  isSameKind: (entry, { type }) =>
    textAt(entry, 'media_type') === (LISTED_TYPES[type] ?? 'TEXT_POST'),
  remove: (api, remoteId) => api.delete(remoteId),
};

const INSIGHTS = ['likes', 'replies', 'reposts', 'quotes', 'shares'] as const;

const toNumbers = (insights: ReadonlyMap<string, number>): PostNumbers => ({
  likes: insights.get('likes') ?? null,
  comments: insights.get('replies') ?? null,
  shares: sumOf(['reposts', 'quotes', 'shares'].map((metric) => insights.get(metric))),
});

/** Threads: POST /{user}/threads creates a container, POST /{user}/threads_publish publishes it. */
export const createThreads = (http: HttpClient): NetworkAdapter =>
  createAdapter(http, threads, {
    errors: graphErrors(failureCode),
    async check(client, credentials) {
      const me = await openThreads(client, credentials).get('me', {
        fields: 'id,username,threads_profile_picture_url',
      });
      const socialId = textAt(me, 'id') ?? client.throwMissing('ID');
      return {
        socialId,
        name: `@${textAt(me, 'username') ?? socialId}`,
        type: 'profile',
        picture: textAt(me, 'threads_profile_picture_url'),
      };
    },
    publisher: containerPublisher(CONTAINERS),
    numbers: {
      ...INSIGHTS_PACE,
      errors: INSIGHTS_ERRORS,
      read(client, credentials, ids) {
        const api = openThreads(client, credentials);
        return readEach(ids, async (id) => {
          const insights = await api.get(`${id}/insights`, { metric: INSIGHTS.join() });
          return isGone(insights) ? null : toNumbers(insightsOf(insights));
        });
      },
    },
  });
