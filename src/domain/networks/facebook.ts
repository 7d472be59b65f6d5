import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  textLimit,
  unpublished,
  type NetworkDefinition,
} from './network-definition.js';

export const facebook = {
  name: 'Facebook',
  description: 'Facebook, a large general network.',
  source: 'D1',
  kind: { key: 'large_general', description: 'Large general network.', source: 'Update post' },
  accountTypes: ['profile', 'page', 'group'],
  postTypes: ['status', 'link', 'photo', 'gif', 'video', 'reel', 'story', 'carousel'],
  limits: [textLimit(63_206, 'code_points'), ...mediaLimits(10)],
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
  publishing: unpublished('compared'),
  postDomains: ['facebook.com', 'fb.com', 'fb.watch'],
  adapter: {
    verified: false,
    note: 'Text, the title of a video, and the background of a text post. Pages only: Facebook has no API for editing posts on profiles or in groups.',
    credentials: {
      accessToken: {
        description:
          'Page access token with the permissions pages_manage_posts and pages_read_engagement.',
        secret: true,
      },
    },
    remoteId: /^\d+(_\d+)?$/,
  },
} as const satisfies NetworkDefinition;
