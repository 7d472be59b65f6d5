import type { NetworkFailureCode } from '../domain/networks/network-failures.js';
import type { Post } from '../domain/posts/post.js';
import type { NetworkAdapter, NetworkEdit } from '../services/networks/network-ports.js';
import { createAdapter } from './adapter.js';
import type { Answer } from './http-client/answer.js';
import { numberAt, textAt, valueAt } from './http-client/json-path.js';
import type { Web } from './http-client/web.js';

const ROOT = 'https://graph.facebook.com';

interface FacebookOptions {
  /** Of the Graph interface, as v25.0. */
  readonly version: string;
  readonly root?: string;
}

/** Graph's error codes, which say more than its statuses. */
const MEANINGS: Readonly<Record<number, NetworkFailureCode>> = {
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

/** To an update, "no such object" may also mean one that cannot be updated: only the reading before it tells that the post is gone. */
function exception({ method, json }: Answer): NetworkFailureCode | null {
  const code = numberAt(json, 'error', 'code');
  if (code === null) return null;
  if (code === 100 && numberAt(json, 'error', 'error_subcode') === NO_SUCH_OBJECT)
    return method === 'GET' ? 'NETWORK_POST_DELETED' : 'NETWORK_REFUSED';
  return MEANINGS[code] ?? (code >= 200 && code < 300 ? 'NETWORK_FORBIDDEN' : null);
}

/** The large general network: POST /{post-id}, or /{video-id} for films. */
export function createFacebook(
  web: Web,
  { version, root = ROOT }: FacebookOptions,
): NetworkAdapter {
  return createAdapter(web, {
    dialect: {
      name: 'Facebook',
      words: (json) => textAt(json, 'error', 'error_user_msg') ?? textAt(json, 'error', 'message'),
      exception,
    },
    verified: false,
    note: `The text, a film’s title, the background of a text; through ${version} of the Graph interface (FACEBOOK_VERSION). Pages only: profiles and groups have no interface for edits.`,
    credentials: {
      accessToken: {
        meaning: 'A page’s access token with pages_manage_posts and pages_read_engagement.',
        secret: true,
      },
    },
    remoteId: /^\d+(_\d+)?$/,
    async edit(line, { remoteId, post, changed }, { accessToken }) {
      const url = `${root}/${version}/${remoteId}`;
      const headers = { Authorization: `Bearer ${accessToken}` };
      await line.ask('GET', `${url}?fields=id`, { headers });
      const answer = await line.ask('POST', url, {
        headers,
        json: isFilm(post) ? filmUpdate(post, changed) : postUpdate(post, changed),
      });
      if (valueAt(answer, 'success') !== true) line.unreadable('success');
    },
    async check(line, { accessToken }) {
      const answer = await line.ask(
        'GET',
        `${root}/${version}/me?fields=id,name,picture{url}&metadata=1`,
        { headers: { Authorization: `Bearer ${accessToken}` } },
      );
      const socialId = textAt(answer, 'id') ?? line.unreadable('id');
      const type = textAt(answer, 'metadata', 'type') === 'user' ? 'profile' : 'page';
      return {
        socialId,
        name: textAt(answer, 'name') ?? socialId,
        type,
        picture: textAt(answer, 'picture', 'data', 'url'),
      };
    },
  });
}

const isFilm = ({ type }: Post): boolean => type === 'video' || type === 'reel';

const filmUpdate = (post: Post, changed: NetworkEdit['changed']) => ({
  ...(changed.has('text') && { description: post.text }),
  ...(changed.has('title') && { name: post.title ?? '' }),
});
/** Preset 0 is the plain background. */
const postUpdate = (post: Post, changed: NetworkEdit['changed']) => ({
  ...(changed.has('text') && { message: post.text }),
  ...(changed.has('details.textFormatPresetId') && {
    text_format_preset_id: post.details?.textFormatPresetId ?? '0',
  }),
});
