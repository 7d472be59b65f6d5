import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  textLimit,
  type NetworkDefinition,
} from './network-definition.js';

const TOKEN_URL = 'https://graph.facebook.com/{version}/oauth/access_token';

/** Facebook's login, which also gives access to the Instagram accounts of pages. */
export const FACEBOOK_OAUTH = {
  authorizeUrl: 'https://www.facebook.com/{version}/dialog/oauth',
  tokenUrl: TOKEN_URL,
  exchangeMethod: 'GET',
  scopeSeparator: ',',
  pkce: false,
  client: 'form',
  longLived: {
    url: TOKEN_URL,
    grantType: 'fb_exchange_token',
    tokenName: 'fb_exchange_token',
    sendsClientId: true,
  },
} as const;

export const facebook = {
  name: 'Facebook',
  description: 'Facebook, a large general network.',
  source: 'D1',
  kind: { key: 'large_general', description: 'Large general network.', source: 'Update post' },
  accountTypes: ['profile', 'page', 'group'],
  postTypes: ['status', 'link', 'photo', 'gif', 'video', 'reel', 'story', 'carousel'],
  limits: [textLimit(63_206, 'code_points'), ...mediaLimits(10)],
  mediaKinds: { link: [] },
  files: {
    photo: { maxBytes: 10 * MEGABYTE, formats: ['image/jpeg', 'image/png'] },
    video: {
      formats: ['video/mp4', 'video/quicktime'],
      ofTypes: {
        reel: { minSeconds: 3, maxSeconds: 90, minFrameRate: 24, maxFrameRate: 60, minSide: 540 },
        story: { maxSeconds: 60 },
      },
    },
  },
  dailyCaps: [
    dailyCap('post', [12, 24, 36], 'Large general network posts and reels (per profile)'),
    dailyCap('story', [12, 24, 36], 'Large general network stories', { postTypes: ['story'] }),
  ],
  edits: [
    onNetwork('text'),
    onNetwork('title', { types: ['video'] }),
    onNetwork('details.textFormatPresetId'),
    LABELS,
  ],
  editRate: { maxConcurrent: 4, maxPerMinute: 60 },
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'compared',
    guaranteeReason:
      'Facebook knows nothing of a post before the call that publishes it: the recent posts of the page are compared by their text and their time.',
    guaranteesOf: {
      photo: {
        guarantee: 'compared',
        reason: 'A listed post names its photos, which belong to no other post.',
      },
      reel: {
        guarantee: 'exact',
        reason: 'The video of a reel has its ID before it is published, and tells whether it was.',
      },
      story: {
        guarantee: 'exact',
        reason:
          'The photo or video of a story has its ID before it is published, and belongs to one story.',
      },
    },
    postTypes: ['status', 'link', 'photo', 'video', 'reel', 'story'],
    mediaTypes: ['photo', 'video'],
  },
  numbers: {
    sources: {
      likes: '`GET /{post}`: `reactions.summary.total_count`',
      comments: '`GET /{post}`: `comments.summary.total_count`',
      shares: '`GET /{post}`: `shares.count`',
      postClicks: '`GET /{post}/insights`: `post_clicks`',
    },
    missing:
      'Facebook does not report saves, and counts how often a post was seen, not by how many people. It does not tell clicks on links from others, and reports clicks of pages with at least 100 likes only. The gateway reads no views of videos.',
  },
  postDomains: ['facebook.com', 'fb.com', 'fb.watch'],
  adapter: {
    verified: false,
    note: 'Edits of the text, the title of a video, and the background of a text post. Pages only: Facebook has no API for posts on profiles or in groups. Facebook fetches photos, and videos that the gateway does not keep, from their URLs, which must be public. A story shows its photo or video without the text. A video is public when Facebook has processed it.',
    credentials: {
      accessToken: {
        description:
          'Page access token with the permissions pages_manage_posts and pages_read_engagement.',
        secret: true,
      },
    },
    remoteId: /^\d+(_\d+)?$/,
  },
  oauth: {
    own: {
      ...FACEBOOK_OAUTH,
      app: 'FACEBOOK',
      scopes: ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts', 'read_insights'],
      // Without it, clicks are not read.
      optionalScopes: ['read_insights'],
    },
  },
} as const satisfies NetworkDefinition;
