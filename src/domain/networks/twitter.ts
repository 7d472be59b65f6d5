import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  optionValues,
  pollDays,
  pollLimits,
  textLimit,
  wholeTextOf,
  type NetworkDefinition,
} from './network-definition.js';

const POST_TYPES = ['status', 'link', 'photo', 'gif', 'video', 'poll'] as const;

const CASHTAG = /(?<![\p{L}\p{N}_$])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?![\p{L}\p{N}_])/giu;

const BY_FILES = {
  guarantee: 'compared',
  reason: 'A listed post names its files, which belong to no other post.',
} as const;

export const twitter = {
  name: 'X',
  description: 'X, formerly Twitter, a short-message network.',
  source: 'D1',
  kind: { key: 'short_message', description: 'Short-message network.', source: 'Update post' },
  accountTypes: ['profile'],
  postTypes: POST_TYPES,
  values: [
    pollDays(7),
    optionValues('replySettings', [
      'everyone',
      'following',
      'mentionedUsers',
      'subscribers',
      'verified',
    ]),
    {
      path: ['text'],
      isMet: (post) => (wholeTextOf(post).text.match(CASHTAG) ?? []).length <= 1,
      message: 'may have at most one cashtag.',
    },
  ],
  limits: [
    textLimit(280, 'weighted'),
    ...mediaLimits(4),
    { field: 'media.altText', max: 1_000, unit: 'code_points', types: ['photo', 'gif'] },
    ...pollLimits(25),
  ],
  countedText: wholeTextOf,
  mediaKinds: { status: [], link: [], poll: [] },
  files: {
    photo: { maxBytes: 5 * MEGABYTE, formats: ['image/jpeg', 'image/png', 'image/webp'] },
    gif: { maxBytes: 15 * MEGABYTE },
    // Since September 2026, longer videos may be allowed: that is not documented.
    video: {
      formats: ['video/mp4', 'video/quicktime'],
      maxSeconds: 140,
      maxFrameRate: 60,
      maxRatio: 3,
    },
  },
  dailyCaps: [dailyCap('post', [25, 50, 100], 'Short-message network posts')],
  edits: [LABELS],
  editRate: null,
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'compared',
    guaranteeReason:
      'X knows no key of its clients: the recent posts of the account are compared by their text, their options and their time.',
    guaranteesOf: { photo: BY_FILES, gif: BY_FILES, video: BY_FILES },
    postTypes: POST_TYPES,
    mediaTypes: ['photo', 'gif', 'video'],
  },
  numbers: {
    sources: {
      likes: '`GET /2/tweets`: `public_metrics.like_count`',
      comments: '`GET /2/tweets`: `public_metrics.reply_count`',
      shares: '`GET /2/tweets`: `public_metrics.retweet_count` and `public_metrics.quote_count`',
      saves: '`GET /2/tweets`: `public_metrics.bookmark_count`',
      pollVotes: '`GET /2/tweets`: `options[].votes` of the poll',
    },
    missing:
      'X counts how often a post was seen, not by how many people. It reports clicks for 30 days only, and views of videos by file: the gateway reads neither.',
  },
  postDomains: ['twitter.com', 'x.com'],
  adapter: {
    verified: false,
    note: 'Published posts cannot be edited on the network; labels can be changed in the gateway. X charges credits for each post, removal and read.',
    credentials: {
      accessToken: {
        description:
          'OAuth 2.0 access token of the user with the scopes tweet.read, tweet.write, users.read and media.write. It ends after 2 hours.',
        secret: true,
      },
    },
    remoteId: /^\d{1,19}$/,
  },
  oauth: {
    own: {
      app: 'TWITTER',
      authorizeUrl: 'https://x.com/i/oauth2/authorize',
      tokenUrl: 'https://api.x.com/2/oauth2/token',
      // Without offline.access there is no refresh token.
      scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
      scopeSeparator: ' ',
      pkce: true,
      client: 'basic',
      renewal: { by: 'refresh_token' },
    },
  },
} as const satisfies NetworkDefinition;
