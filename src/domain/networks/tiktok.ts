import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  textLimit,
  unpublished,
  type NetworkDefinition,
} from './network-definition.js';

export const tiktok = {
  name: 'TikTok',
  description: 'TikTok, a short-video network.',
  source: 'D1',
  kind: { key: 'short_video', description: 'Short-video network.', source: 'Daily post limits' },
  accountTypes: ['profile', 'business'],
  postTypes: ['photo', 'video', 'carousel'],
  privacy: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'],
  limits: [textLimit(2_200, 'utf16'), ...mediaLimits(35)],
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
  publishing: unpublished('exact'),
  postDomains: ['tiktok.com'],
  adapter: {
    verified: false,
    note: 'The gateway connects accounts, but does not publish posts yet. Published posts cannot be edited on the network; labels can be changed in the gateway.',
    credentials: {
      accessToken: {
        description:
          'Access token of the user with the scopes user.info.basic and video.publish. It ends after hours.',
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
      scopes: ['user.info.basic', 'video.publish', 'video.upload'],
      // Only apps that were audited publish; the others send drafts to the app of the person.
      optionalScopes: ['video.publish'],
      scopeSeparator: ',',
      pkce: false,
      client: 'form',
      clientIdName: 'client_key',
      renewal: { by: 'refresh_token' },
    },
  },
} as const satisfies NetworkDefinition;
