import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  optionValues,
  pollDays,
  pollLimits,
  textLimit,
  wholeTextOf,
  type CountedText,
  type NetworkDefinition,
  type PostContent,
} from './network-definition.js';
import { replaceMastodonLinks } from './web-links.js';

const POST_TYPES = ['status', 'link', 'photo', 'gif', 'video', 'poll'] as const;

/** The content warning of a status: the title, unless the post has a warning of its own. */
export const contentWarningOf = ({ networkOptions, title }: PostContent): string =>
  networkOptions?.spoilerText ?? title ?? '';

/** Each link with a scheme counts as 23 characters. */
const COUNTED_LINK = 'x'.repeat(23);
/** $1 the name; the domain of the server after it does not count. */
const MENTION =
  /(?<![=/\p{L}\p{M}\p{N}\p{Pc}])(@[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)@[\p{L}\p{M}\p{N}\p{Pc}.-]*[\p{L}\p{M}\p{N}\p{Pc}]/giu;

/** The content warning and the text of a status as instances count them together. */
function countedText(post: PostContent): CountedText {
  const status = wholeTextOf(post);
  const warning = contentWarningOf(post);
  const warningPart =
    post.networkOptions?.spoilerText == null ? 'title' : 'networkOptions.spoilerText';
  return {
    text: warning + replaceMastodonLinks(status.text, COUNTED_LINK).replace(MENTION, '$1'),
    parts: [...(warning === '' ? [] : [warningPart]), ...status.parts],
  };
}

export const mastodon = {
  name: 'Mastodon',
  description: 'Mastodon, a federated microblog.',
  source: 'D1',
  kind: { key: 'federated_microblog', description: 'Federated microblog.', source: 'Update post' },
  accountTypes: ['profile'],
  postTypes: POST_TYPES,
  values: [optionValues('visibility', ['public', 'unlisted', 'private', 'direct']), pollDays(30)],
  limits: [
    textLimit(500, 'graphemes'),
    ...mediaLimits(4),
    { field: 'media.altText', max: 1_500, unit: 'code_points', types: ['photo', 'gif', 'video'] },
    ...pollLimits(50, 'graphemes'),
  ],
  countedText,
  mediaKinds: { poll: [] },
  files: {
    photo: { maxBytes: 16 * MEGABYTE },
    gif: { maxBytes: 16 * MEGABYTE },
    video: { maxBytes: 99 * MEGABYTE, formats: ['video/mp4', 'video/quicktime', 'video/webm'] },
  },
  dailyCaps: [dailyCap('post', [25, 50, 100], 'Federated microblog posts')],
  edits: [
    onNetwork('text'),
    onNetwork('title'),
    onNetwork('details.language'),
    onNetwork('options', { types: ['poll'] }),
    onNetwork('duration', { types: ['poll'] }),
    LABELS,
  ],
  editRate: { maxConcurrent: 4, maxPerMinute: 60 },
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'compared',
    guaranteeReason:
      'Mastodon keeps the key of a request for an hour; after that, the recent posts of the account are compared.',
    postTypes: POST_TYPES,
    mediaTypes: ['photo', 'gif', 'video'],
  },
  numbers: {
    sources: {
      likes: '`GET /api/v1/statuses`: `favourites_count`',
      comments: '`GET /api/v1/statuses`: `replies_count`',
      shares: '`GET /api/v1/statuses`: `reblogs_count` and, from Mastodon 4.5, `quotes_count`',
      pollVotes: '`GET /api/v1/statuses`: `poll.options[].votes_count`',
    },
    missing: 'Mastodon does not count views and clicks, and does not tell who saved a post.',
  },
  postDomains: null,
  serverHost: /@(?<host>[^@/:]+\.[^@/:]+)(:\d+)?$/,
  adapter: {
    verified: false,
    note: 'Text, content warning (title), language, poll options and poll duration. Changing a poll’s options resets its votes. A poll that has ended cannot be edited.',
    credentials: {
      instance: {
        description: 'URL of the instance, such as https://mastodon.example.',
        secret: false,
      },
      accessToken: {
        description:
          'Access token with the scopes read:accounts, read:statuses, write:statuses and write:media.',
        secret: true,
      },
    },
    remoteId: /^\w{1,64}$/,
  },
  oauth: {
    own: {
      app: null,
      authorizeUrl: '/oauth/authorize',
      tokenUrl: '/oauth/token',
      scopes: ['read:accounts', 'read:statuses', 'write:statuses', 'write:media'],
      scopeSeparator: ' ',
      // Servers without it ignore the parameters.
      pkce: true,
      client: 'form',
    },
  },
} as const satisfies NetworkDefinition;
