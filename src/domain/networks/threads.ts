import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  optionValues,
  pollLimits,
  textLimit,
  wholeTextOf,
  type CountedText,
  type NetworkDefinition,
  type PostContent,
} from './network-definition.js';

const POST_TYPES = ['status', 'link', 'photo', 'video', 'carousel', 'poll'] as const;

/** The text of a post: with the question of a poll. The link of a link post is sent apart. */
export const threadsTextOf = (post: PostContent): CountedText =>
  wholeTextOf(post, { withLink: false });

// The compiler's target has no v flag.
const EMOJI = new RegExp('\\p{RGI_Emoji}|\\p{Extended_Pictographic}', 'gv');
const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

/** Each emoji counts as its bytes in UTF-8. */
function countedText(post: PostContent): CountedText {
  const { text, parts } = threadsTextOf(post);
  return { text: text.replace(EMOJI, (emoji) => 'x'.repeat(utf8Length(emoji))), parts };
}

const MAX_LINKS = 5;
const LINK = /https?:\/\/\S+/gi;

/** How many links a post has, each counted once. */
function countLinks(post: PostContent): number {
  const links = threadsTextOf(post).text.match(LINK) ?? [];
  return new Set(post.type === 'link' && post.url ? [...links, post.url] : links).size;
}

export const threads = {
  name: 'Threads',
  description: 'Threads, Instagram’s text-conversation app.',
  source: 'D1',
  kind: {
    key: 'text_conversation',
    description: 'The photo-sharing network’s text-conversation app.',
    source: 'Update post',
  },
  accountTypes: ['profile'],
  postTypes: ['status', 'link', 'photo', 'gif', 'video', 'carousel', 'poll'],
  values: [
    optionValues('replySettings', [
      'everyone',
      'accounts_you_follow',
      'mentioned_only',
      'parent_post_author_only',
      'followers_only',
    ]),
    {
      path: ['duration'],
      isMet: ({ type, duration }) => type !== 'poll' || duration === null || duration === 1,
      message: 'of a poll must be 1 day.',
    },
    {
      path: ['text'],
      isMet: (post) => countLinks(post) <= MAX_LINKS,
      message: `may have at most ${MAX_LINKS} links, with the link of a link post.`,
    },
  ],
  limits: [
    textLimit(500, 'code_points'),
    ...mediaLimits(1, 20),
    {
      field: 'media.altText',
      max: 1_000,
      unit: 'code_points',
      types: ['photo', 'video', 'carousel'],
    },
    ...pollLimits(25),
  ],
  countedText,
  mediaKinds: { status: [], link: [], poll: [] },
  files: {
    photo: { maxBytes: 8 * MEGABYTE, formats: ['image/jpeg', 'image/png'], maxRatio: 10 },
    video: {
      formats: ['video/mp4', 'video/quicktime'],
      maxSeconds: 300,
      minFrameRate: 23,
      maxFrameRate: 60,
    },
  },
  dailyCaps: [dailyCap('post', [150, 200, 250], 'Text-conversation app posts')],
  edits: [LABELS],
  editRate: null,
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'exact',
    guaranteeReason: 'The container of a post tells whether it was published.',
    postTypes: POST_TYPES,
    mediaTypes: ['photo', 'video'],
  },
  numbers: {
    sources: {
      likes: '`GET /{media}/insights`: `likes`',
      comments: '`GET /{media}/insights`: `replies`',
      shares: '`GET /{media}/insights`: `reposts`, `quotes` and `shares`',
    },
    missing:
      'Threads does not report saves, clicks and votes, and counts how often a post or video was seen, not by how many people.',
  },
  postDomains: ['threads.net', 'threads.com'],
  adapter: {
    verified: false,
    note: 'Published posts cannot be edited on the network; labels can be changed in the gateway. Threads fetches pictures and videos from their URLs, which must be public.',
    credentials: {
      accessToken: {
        description:
          'Access token with the permissions threads_basic, threads_content_publish, threads_delete and, for metrics, threads_manage_insights.',
        secret: true,
      },
    },
    remoteId: /^\d{1,32}$/,
  },
  oauth: {
    own: {
      app: 'THREADS',
      authorizeUrl: 'https://threads.com/oauth/authorize',
      tokenUrl: 'https://graph.threads.com/oauth/access_token',
      scopes: [
        'threads_basic',
        'threads_content_publish',
        'threads_delete',
        'threads_manage_insights',
      ],
      // Without it, metrics are not read.
      optionalScopes: ['threads_manage_insights'],
      scopeSeparator: ',',
      pkce: false,
      client: 'form',
      longLived: {
        url: 'https://graph.threads.com/access_token',
        grantType: 'th_exchange_token',
        tokenName: 'access_token',
        sendsClientId: false,
      },
      renewal: {
        by: 'access_token',
        url: 'https://graph.threads.com/refresh_access_token',
        grantType: 'th_refresh_token',
      },
    },
  },
} as const satisfies NetworkDefinition;
