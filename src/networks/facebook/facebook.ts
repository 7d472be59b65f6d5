import { facebook } from '../../domain/networks/facebook.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { PostNumbers } from '../../domain/numbers/numbers.js';
import type { Post } from '../../domain/posts/post.js';
import type { NetworkAdapter, NetworkEdit } from '../../services/networks/network-ports.js';
import { createAdapter, readEach } from '../adapter.js';
import type { NetworkResponse } from '../http-client/network-response.js';
import { numberAt, textAt, valueAt } from '../http-client/json-path.js';
import type { HttpClient } from '../http-client/http-client.js';
import {
  graphError,
  graphErrors,
  isNoSuchObject,
  openGraphApi,
  type GraphApi,
} from '../meta/graph-api.js';
import { INSIGHTS_ERRORS, INSIGHTS_PACE, insightsOf, isGone } from '../meta/insights.js';
import { pagePublisher } from './page-publisher.js';

/** Base of all calls. */
export const GRAPH_URL = 'https://graph.facebook.com';

interface FacebookOptions {
  /** Version of the Graph API, such as `v25.0`. */
  readonly version: string;
}

/** Subcode of photos that are part of a post already. */
const PHOTOS_ALREADY_POSTED = 1_366_051;
/** Code of a text that is the same as that of the last post. */
const SAME_TEXT = 506;

/**
 * After an update, "no such object" can also mean that the post cannot be updated; only a GET or
 * DELETE shows that it was deleted.
 */
function failureCode({ method, json }: NetworkResponse): NetworkFailureCode | null {
  const error = graphError(json);
  if (error?.code === SAME_TEXT || error?.subcode === PHOTOS_ALREADY_POSTED)
    return 'NETWORK_DUPLICATE';
  if (!isNoSuchObject(json)) return null;
  return method === 'POST' ? 'NETWORK_REFUSED' : 'NETWORK_POST_DELETED';
}

const COUNTED_EDGES =
  'reactions.limit(0).summary(total_count),comments.limit(0).summary(total_count)';

/**
 * Null if Facebook no longer has the post. Without a share, it has no number of shares. Videos and
 * stories, which have IDs without that of the page, do not have that field.
 */
async function readNumbers(api: GraphApi, id: string): Promise<PostNumbers | null> {
  const isPost = id.includes('_');
  const post = await api.get(id, { fields: `id,${isPost ? 'shares,' : ''}${COUNTED_EDGES}` });
  if (isGone(post)) return null;
  const insights = isPost
    ? await api.getOptional(`${id}/insights`, { metric: 'post_clicks' })
    : null;
  return {
    likes: numberAt(post, 'reactions', 'summary', 'total_count'),
    comments: numberAt(post, 'comments', 'summary', 'total_count'),
    shares: isPost ? (numberAt(post, 'shares', 'count') ?? 0) : null,
    postClicks: insightsOf(insights).get('post_clicks') ?? null,
  };
}

/** Facebook pages: POST /{page-id}/feed; for edits /{post-id}, or /{video-id} for videos. */
export function createFacebook(http: HttpClient, { version }: FacebookOptions): NetworkAdapter {
  return createAdapter(http, facebook, {
    errors: graphErrors(failureCode),
    note: `Uses version ${version} of the Graph API (FACEBOOK_VERSION).`,
    async edit(client, { remoteId, post, changed }, { accessToken }) {
      const url = `${GRAPH_URL}/${version}/${remoteId}`;
      const headers = { Authorization: `Bearer ${accessToken}` };
      await client.request('GET', `${url}?fields=id`, { headers });
      const response = await client.request('POST', url, {
        headers,
        json: isVideo(post) ? toVideoUpdate(post, changed) : toPostUpdate(post, changed),
      });
      if (valueAt(response, 'success') !== true) client.throwMissing('success');
    },
    async check(client, { accessToken }) {
      const response = await client.request(
        'GET',
        `${GRAPH_URL}/${version}/me?fields=id,name,picture{url}&metadata=1`,
        { headers: { Authorization: `Bearer ${accessToken}` } },
      );
      const socialId = textAt(response, 'id') ?? client.throwMissing('ID');
      const type = textAt(response, 'metadata', 'type') === 'user' ? 'profile' : 'page';
      return {
        socialId,
        name: textAt(response, 'name') ?? socialId,
        type,
        picture: textAt(response, 'picture', 'data', 'url'),
      };
    },
    publisher: pagePublisher(`${GRAPH_URL}/${version}`),
    numbers: {
      ...INSIGHTS_PACE,
      errors: INSIGHTS_ERRORS,
      read(client, { accessToken }, ids) {
        const api = openGraphApi(client, `${GRAPH_URL}/${version}`, accessToken);
        return readEach(ids, (id) => readNumbers(api, id));
      },
    },
  });
}

const isVideo = ({ type }: Post): boolean => type === 'video' || type === 'reel';

const toVideoUpdate = (post: Post, changed: NetworkEdit['changed']) => ({
  ...(changed.has('text') && { description: post.text }),
  ...(changed.has('title') && { name: post.title ?? '' }),
});
/** Preset 0 removes the background. */
const toPostUpdate = (post: Post, changed: NetworkEdit['changed']) => ({
  ...(changed.has('text') && { message: post.text }),
  ...(changed.has('details.textFormatPresetId') && {
    text_format_preset_id: post.details?.textFormatPresetId ?? '0',
  }),
});
