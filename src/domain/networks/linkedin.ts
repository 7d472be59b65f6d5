import { hasVisibleText } from '../input/readers.js';
import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  optionValues,
  pollDurations,
  pollLimits,
  textLimit,
  type NetworkDefinition,
  type PostContent,
} from './network-definition.js';

/** What both apps have in common. Only partners of LinkedIn get refresh tokens. */
const OAUTH = {
  authorizeUrl: 'https://www.linkedin.com/oauth/v2/authorization',
  tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
  scopeSeparator: ' ',
  pkce: false,
  client: 'form',
  renewal: { by: 'refresh_token', isOptional: true },
} as const;

/** How long polls can be open: LinkedIn's names of the numbers of days. */
export const POLL_DURATIONS: Readonly<Record<number, string>> = {
  1: 'ONE_DAY',
  3: 'THREE_DAYS',
  7: 'SEVEN_DAYS',
  14: 'FOURTEEN_DAYS',
};

/** The question of a poll: its text, if it has no question of its own. */
export const pollQuestionOf = ({
  question,
  text,
}: Pick<PostContent, 'question' | 'text'>): string => (hasVisibleText(question) ? question! : text);

/** The text above what the post shows; that of a poll without a question is the question. */
export const commentaryOf = ({
  type,
  question,
  text,
}: Pick<PostContent, 'type' | 'question' | 'text'>): string =>
  type === 'poll' && !hasVisibleText(question) ? '' : text;

/** Without articles, for which LinkedIn has no API. */
const PUBLISHED_TYPES = [
  'status',
  'link',
  'photo',
  'gif',
  'video',
  'poll',
  'document',
  'carousel',
] as const;

/** In code points. */
const MAX_TEXT = 3_000;
/** Pixels of a picture that LinkedIn does not take any more. */
const TOO_MANY_PIXELS = 36_152_320;

export const linkedin = {
  name: 'LinkedIn',
  description: 'LinkedIn, a professional network.',
  source: 'D1',
  kind: { key: 'professional', description: 'Professional network.', source: 'Update post' },
  accountTypes: ['profile', 'page'],
  postTypes: [...PUBLISHED_TYPES, 'article'],
  values: [
    optionValues('visibility', ['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
    pollDurations(Object.keys(POLL_DURATIONS).map(Number)),
  ],
  limits: [
    textLimit(MAX_TEXT, 'code_points'),
    { field: 'question', max: 140, unit: 'code_points', types: ['poll'] },
    {
      field: 'media.altText',
      max: 4_086,
      unit: 'code_points',
      types: ['photo', 'gif', 'carousel'],
    },
    { field: 'media', max: 1, unit: 'items', types: ['link'] },
    ...mediaLimits(20),
    ...pollLimits(30),
  ],
  countedText: (post) => ({ text: commentaryOf(post), parts: ['text'] }),
  mediaKinds: { status: [], link: ['photo'], poll: [], carousel: ['photo'] },
  files: {
    photo: { formats: ['image/jpeg', 'image/png'], maxPixels: TOO_MANY_PIXELS - 1 },
    gif: { maxPixels: TOO_MANY_PIXELS - 1 },
    video: {
      formats: ['video/mp4'],
      minBytes: 75 * 1_024,
      minSeconds: 3,
      maxSeconds: 1_800,
      maxRatio: 2.4,
    },
    document: {
      maxBytes: 100 * MEGABYTE,
      formats: [
        'application/pdf',
        'application/msword',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      ],
    },
  },
  dailyCaps: [
    dailyCap('post', [10, 12, 14], 'Professional network profile posts', {
      accountTypes: ['profile'],
    }),
    dailyCap('post', [12, 18, 24], 'Professional network page posts', { accountTypes: ['page'] }),
  ],
  edits: [onNetwork('text', { maxLength: MAX_TEXT }), LABELS],
  editRate: { maxConcurrent: 2, maxPerMinute: 30 },
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'compared',
    guaranteeReason:
      'Posts of a page are compared with its recent ones. Those of a member cannot be read: their guarantee is `cannot_tell`, and the same call is repeated once.',
    postTypes: PUBLISHED_TYPES,
    mediaTypes: ['photo', 'gif', 'video', 'document'],
  },
  numbers: {
    sources: {
      reach: '`GET /rest/organizationalEntityShareStatistics`: `uniqueImpressionsCount`',
      likes: '`GET /rest/organizationalEntityShareStatistics`: `likeCount`',
      comments: '`GET /rest/organizationalEntityShareStatistics`: `commentCount`',
      shares: '`GET /rest/organizationalEntityShareStatistics`: `shareCount`',
      postClicks: '`GET /rest/organizationalEntityShareStatistics`: `clickCount`',
    },
    missing:
      'LinkedIn does not report saves, clicks on links, views of videos and votes with these metrics. The gateway reads metrics of pages only: those of members may not be kept for longer than 48 hours.',
  },
  postDomains: ['linkedin.com', 'lnkd.in'],
  adapter: {
    verified: false,
    note: 'Posts of members and of pages. After publication, the text can be changed.',
    credentials: {
      accessToken: {
        description:
          'Access token with the scopes w_member_social, openid and profile or, for a page, w_organization_social and r_organization_social.',
        secret: true,
      },
      organization: {
        description:
          'For a page, the numeric ID of the organization. For a member’s profile, leave it empty.',
        secret: false,
        optional: true,
      },
    },
    remoteId: /^urn:li:(share|ugcPost):\d+$/,
  },
  oauth: {
    own: { ...OAUTH, app: 'LINKEDIN', scopes: ['openid', 'profile', 'w_member_social'] },
    // An app with the Community Management API can have no other product.
    pages: {
      ...OAUTH,
      app: 'LINKEDIN_PAGES',
      scopes: ['w_organization_social', 'r_organization_social', 'rw_organization_admin'],
    },
  },
} as const satisfies NetworkDefinition;
