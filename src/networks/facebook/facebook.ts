import { facebook } from '../../domain/networks/facebook.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { Post } from '../../domain/posts/post.js';
import type { NetworkAdapter, NetworkEdit } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import type { NetworkResponse } from '../http-client/network-response.js';
import { numberAt, textAt, valueAt } from '../http-client/json-path.js';
import type { HttpClient } from '../http-client/http-client.js';

const BASE_URL = 'https://graph.facebook.com';

interface FacebookOptions {
  /** Version of the Graph API, such as `v25.0`. */
  readonly version: string;
  readonly baseUrl?: string;
}

/** Failures by the Graph API's error codes, which are more specific than its status codes. */
const FAILURE_CODES: Readonly<Record<number, NetworkFailureCode>> = {
  1: 'NETWORK_UNAVAILABLE',
  2: 'NETWORK_UNAVAILABLE',
  4: 'NETWORK_RATE_LIMITED',
  17: 'NETWORK_RATE_LIMITED',
  32: 'NETWORK_RATE_LIMITED',
  613: 'NETWORK_RATE_LIMITED',
  80_001: 'NETWORK_RATE_LIMITED',
  10: 'NETWORK_FORBIDDEN',
  102: 'NETWORK_REAUTHORIZATION_NEEDED',
  190: 'NETWORK_REAUTHORIZATION_NEEDED',
};
const NO_SUCH_OBJECT = 33;

/**
 * After an update, "no such object" can also mean that the post cannot be updated; only a GET shows
 * that it was deleted.
 */
function failureCode({ method, json }: NetworkResponse): NetworkFailureCode | null {
  const code = numberAt(json, 'error', 'code');
  if (code === null) return null;
  if (code === 100 && numberAt(json, 'error', 'error_subcode') === NO_SUCH_OBJECT)
    return method === 'GET' ? 'NETWORK_POST_DELETED' : 'NETWORK_REFUSED';
  return FAILURE_CODES[code] ?? (code >= 200 && code < 300 ? 'NETWORK_FORBIDDEN' : null);
}

/** Facebook pages: POST /{post-id}, or /{video-id} for videos. */
export function createFacebook(
  http: HttpClient,
  { version, baseUrl = BASE_URL }: FacebookOptions,
): NetworkAdapter {
  return createAdapter(http, facebook, {
    errors: {
      errorMessage: (json) =>
        textAt(json, 'error', 'error_user_msg') ?? textAt(json, 'error', 'message'),
      failureCode,
    },
    note: `Uses version ${version} of the Graph API (FACEBOOK_VERSION).`,
    async edit(client, { remoteId, post, changed }, { accessToken }) {
      const url = `${baseUrl}/${version}/${remoteId}`;
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
        `${baseUrl}/${version}/me?fields=id,name,picture{url}&metadata=1`,
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
