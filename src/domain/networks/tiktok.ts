import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  textLimit,
  type NetworkDefinition,
  type PostContent,
} from './network-definition.js';

const POST_TYPES = ['photo', 'video', 'carousel'] as const;

/** What other people may do with a post. */
export const TIKTOK_INTERACTIONS = ['comment', 'duet', 'stitch'] as const;
type Interaction = (typeof TIKTOK_INTERACTIONS)[number];

/**
 * The `post_info` that TikTok gets of a post (D87). Interactions that the post does not set are
 * allowed, except those that the person’s own settings on TikTok turn off: `disabled`.
 */
export function postInfoOf(
  {
    type,
    title,
    text,
    details,
    networkOptions,
  }: Pick<PostContent, 'type' | 'title' | 'text' | 'details' | 'networkOptions'>,
  disabled: readonly string[],
): Readonly<Record<string, string | boolean>> {
  const isOff = (name: Interaction): boolean =>
    disabled.includes(name) || details?.[name] === false;
  const shared = {
    privacy_level: details?.privacy ?? '',
    disable_comment: isOff('comment'),
    brand_content_toggle: details?.paid ?? false,
    brand_organic_toggle: details?.promotional ?? false,
  };
  return type === 'video'
    ? {
        ...shared,
        title: text,
        disable_duet: isOff('duet'),
        disable_stitch: isOff('stitch'),
        is_aigc: networkOptions?.syntheticContent ?? false,
      }
    : {
        ...shared,
        ...(title && { title }),
        description: text,
        auto_add_music: details?.autoAddMusic ?? false,
      };
}

const UNKNOWN_PHOTOS = {
  guarantee: 'cannot_tell',
  reason: 'Only the answer to the call that publishes photos names the publication.',
} as const;

export const tiktok = {
  name: 'TikTok',
  description: 'TikTok, a short-video network.',
  source: 'D1',
  kind: { key: 'short_video', description: 'Short-video network.', source: 'Daily post limits' },
  accountTypes: ['profile', 'business'],
  postTypes: POST_TYPES,
  privacy: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'],
  needs: [
    {
      path: ['details', 'privacy'],
      isMet: ({ details }: PostContent) => Boolean(details?.privacy),
      message: 'is required: TikTok demands that a person chooses who sees the post.',
    },
  ],
  limits: [
    { field: 'title', max: 90, unit: 'utf16', types: ['photo', 'carousel'] },
    textLimit(2_200, 'utf16', ['video']),
    textLimit(4_000, 'utf16', ['photo', 'carousel']),
    ...mediaLimits(35),
  ],
  mediaKinds: { carousel: ['photo'] },
  files: {
    photo: { maxBytes: 20 * MEGABYTE, formats: ['image/jpeg', 'image/webp'] },
    video: {
      formats: ['video/mp4', 'video/quicktime', 'video/webm'],
      maxSeconds: 600,
      minFrameRate: 23,
      maxFrameRate: 60,
      minSide: 360,
      maxSide: 4_096,
    },
  },
  dailyCaps: [dailyCap('video', [15, 20, 25], 'Short-video network videos')],
  edits: [LABELS],
  editRate: null,
  publishing: {
    publishes: true,
    unpublishes: false,
    guarantee: 'exact',
    guaranteeReason:
      'A video has the ID of its publication before it is uploaded, and tells whether it is live.',
    guaranteesOf: { photo: UNKNOWN_PHOTOS, carousel: UNKNOWN_PHOTOS },
    postTypes: POST_TYPES,
    mediaTypes: ['photo', 'video'],
  },
  postDomains: ['tiktok.com'],
  adapter: {
    verified: false,
    note: 'Apps that TikTok has not audited can only publish to private accounts, for the person alone (SELF_ONLY). TikTok fetches photos from their URLs, which must be on a domain that is verified for the app. Published posts cannot be edited on the network, and not be removed by the gateway; labels can be changed in the gateway.',
    credentials: {
      accessToken: {
        description:
          'Access token of the user with the scopes user.info.basic, video.publish and, to find posts after a backup is restored, video.list. It ends after hours.',
        secret: true,
      },
    },
    remoteId: /^\d{1,30}$/,
  },
  oauth: {
    own: {
      app: 'TIKTOK',
      authorizeUrl: 'https://www.tiktok.com/v2/auth/authorize/',
      tokenUrl: 'https://open.tiktokapis.com/v2/oauth/token/',
      scopes: ['user.info.basic', 'video.publish', 'video.list'],
      // Without it, videos of the time before a backup was restored are not found.
      optionalScopes: ['video.list'],
      scopeSeparator: ',',
      pkce: false,
      client: 'form',
      clientIdName: 'client_key',
      renewal: { by: 'refresh_token' },
    },
  },
} as const satisfies NetworkDefinition;
