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
  dailyCaps: [dailyCap('video', [15, 20, 25], 'Short-video network videos')],
  edits: [LABELS],
  editRate: null,
  publishing: unpublished('exact'),
  postDomains: ['tiktok.com'],
  adapter: null,
} as const satisfies NetworkDefinition;
