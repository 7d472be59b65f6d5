import { FACEBOOK_OAUTH } from './facebook.js';
import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  textLimit,
  type ContentNeed,
  type NetworkDefinition,
  type PostContent,
} from './network-definition.js';

const POST_TYPES = ['photo', 'video', 'reel', 'story', 'carousel'] as const;

const MAX_COLLABORATORS = 3;

/** How often a text contains words that start with a character. */
const countWords = (text: string, start: '#' | '@'): number =>
  (text.match(new RegExp(`(?<![\\p{L}\\p{N}])${start}[\\p{L}\\p{N}_]`, 'gu')) ?? []).length;
const atMostWords = (max: number, start: '#' | '@', name: string): ContentNeed => ({
  path: ['text'],
  isMet: ({ text }) => countWords(text, start) <= max,
  message: `may have at most ${max} ${name}.`,
});

const isTagged = ({ media }: PostContent, isComplete: (tag: PlacedTag) => boolean): boolean =>
  media.every(({ type, userTags }) =>
    userTags.every((tag) => Boolean(tag.name) && (type !== 'photo' || isComplete(tag))),
  );
interface PlacedTag {
  readonly x?: number | null;
  readonly y?: number | null;
}

export const instagram = {
  name: 'Instagram',
  description: 'Instagram, a photo-sharing network.',
  source: 'D1',
  kind: { key: 'photo_sharing', description: 'Photo-sharing network.', source: 'Update post' },
  accountTypes: ['profile', 'business'],
  postTypes: POST_TYPES,
  values: [
    atMostWords(30, '#', 'hashtags'),
    atMostWords(20, '@', 'mentions'),
    {
      path: ['media'],
      isMet: (post) => isTagged(post, ({ x, y }) => x != null && y != null),
      message: 'must have userTags with the name of a user and, on photos, x and y.',
    },
    {
      path: ['media'],
      isMet: ({ media }) =>
        media.every(({ collaboratorTags }) => collaboratorTags.length <= MAX_COLLABORATORS),
      message: `may have at most ${MAX_COLLABORATORS} collaboratorTags.`,
    },
  ],
  limits: [
    textLimit(2_200, 'code_points'),
    ...mediaLimits(1, 10),
    { field: 'media.altText', max: 1_000, unit: 'code_points', types: ['photo', 'carousel'] },
  ],
  files: {
    photo: {
      maxBytes: 8 * MEGABYTE,
      formats: ['image/jpeg'],
      minAspect: 0.8,
      maxAspect: 1.91,
      // Instagram shows stories of every shape on a whole screen.
      ofTypes: { story: { minAspect: 0, maxAspect: Infinity } },
    },
    video: {
      formats: ['video/mp4', 'video/quicktime'],
      videoCodecs: ['h264', 'hevc'],
      audioCodecs: ['aac'],
      minSeconds: 3,
      maxSeconds: 900,
      minFrameRate: 23,
      maxFrameRate: 60,
      maxBytes: 300 * MEGABYTE,
      ofTypes: { story: { maxSeconds: 60, maxBytes: 100 * MEGABYTE } },
    },
  },
  dailyCaps: [
    dailyCap('post', [15, 20, 25], 'Photo-sharing network posts and reels'),
    dailyCap('story', [15, 20, 25], 'Photo-sharing network stories', { postTypes: ['story'] }),
  ],
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
      reach: '`GET /{media}/insights`: `reach`',
      likes: '`GET /{media}`: `like_count`',
      comments: '`GET /{media}`: `comments_count`',
      shares: '`GET /{media}/insights`: `shares`',
      saves: '`GET /{media}/insights`: `saved`, not of stories',
      videoViews: '`GET /{media}/insights`: `views`, of videos',
    },
    missing: 'Instagram does not report clicks on posts and links, and has no polls in its API.',
  },
  postDomains: ['instagram.com', 'instagr.am'],
  adapter: {
    verified: false,
    note: 'Published posts cannot be edited on the network; labels can be changed in the gateway. Instagram fetches pictures and videos from their URLs, which must be public. Posts can only be removed if the account is connected through a Facebook page.',
    credentials: {
      accessToken: {
        description:
          'Access token of the account with the permissions instagram_business_basic and instagram_business_content_publish, or of its Facebook page with instagram_basic, instagram_content_publish and instagram_manage_contents.',
        secret: true,
      },
      login: {
        description:
          'Where the token is from: instagram (the default), or facebook for the token of a page.',
        secret: false,
        optional: true,
      },
    },
    remoteId: /^\d{1,32}$/,
  },
  oauth: {
    own: {
      app: 'INSTAGRAM',
      authorizeUrl: 'https://www.instagram.com/oauth/authorize',
      tokenUrl: 'https://api.instagram.com/oauth/access_token',
      scopes: [
        'instagram_business_basic',
        'instagram_business_content_publish',
        'instagram_business_manage_insights',
      ],
      // Without it, only likes and comments are read.
      optionalScopes: ['instagram_business_manage_insights'],
      scopeSeparator: ',',
      pkce: false,
      client: 'form',
      longLived: {
        url: 'https://graph.instagram.com/access_token',
        grantType: 'ig_exchange_token',
        tokenName: 'access_token',
        sendsClientId: false,
      },
      renewal: {
        by: 'access_token',
        url: 'https://graph.instagram.com/refresh_access_token',
        grantType: 'ig_refresh_token',
      },
    },
    facebook: {
      ...FACEBOOK_OAUTH,
      app: 'FACEBOOK',
      scopes: [
        'instagram_basic',
        'instagram_content_publish',
        'instagram_manage_contents',
        'instagram_manage_insights',
        'pages_show_list',
        'pages_read_engagement',
      ],
      // Without them, posts are published but not removed, and only likes and comments are read.
      optionalScopes: ['instagram_manage_contents', 'instagram_manage_insights'],
    },
  },
} as const satisfies NetworkDefinition;
