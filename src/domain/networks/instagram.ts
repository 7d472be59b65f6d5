import {
  dailyCap,
  LABELS,
  mediaLimits,
  textLimit,
  unpublished,
  type NetworkDefinition,
} from './network-definition.js';

export const instagram = {
  name: 'Instagram',
  description: 'Instagram, a photo-sharing network.',
  source: 'D1',
  kind: { key: 'photo_sharing', description: 'Photo-sharing network.', source: 'Update post' },
  accountTypes: ['profile', 'business'],
  postTypes: ['photo', 'video', 'reel', 'story', 'carousel'],
  limits: [textLimit(2_200, 'code_points'), ...mediaLimits(1, 10)],
  files: { photo: { formats: ['image/jpeg'] } },
  dailyCaps: [
    dailyCap('post', [15, 20, 25], 'Photo-sharing network posts and reels'),
    dailyCap('story', [15, 20, 25], 'Photo-sharing network stories', { postTypes: ['story'] }),
  ],
  edits: [LABELS],
  editRate: null,
  publishing: unpublished('exact'),
  postDomains: ['instagram.com', 'instagr.am'],
  adapter: null,
} as const satisfies NetworkDefinition;
