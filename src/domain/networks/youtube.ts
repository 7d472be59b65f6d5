import { GOOGLE_OAUTH, googleCredentials } from './google.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  textLimit,
  TITLE_NEED,
  unpublished,
  type NetworkDefinition,
} from './network-definition.js';

export const youtube = {
  name: 'YouTube',
  description: 'YouTube, a video network.',
  source: 'D1',
  kind: { key: 'video', description: 'Video network.', source: 'Update post' },
  accountTypes: ['channel'],
  postTypes: ['video', 'short'],
  privacy: ['public', 'unlisted', 'private'],
  textIsDescription: true,
  needs: [TITLE_NEED],
  limits: [
    { field: 'title', max: 100, unit: 'code_points' },
    textLimit(5_000, 'bytes'),
    { field: 'tags', max: 500, unit: 'code_points' },
    ...mediaLimits(1),
  ],
  files: { video: { ofTypes: { short: { maxSeconds: 180, maxAspect: 1 } } } },
  dailyCaps: [dailyCap('video', [5, 10, 15], 'Video network videos and shorts')],
  edits: [onNetwork('title', { maxLength: 100 }), onNetwork('text', { maxLength: 5000 }), LABELS],
  editRate: { maxConcurrent: 1, maxPerMinute: 6 },
  publishing: unpublished('exact'),
  postDomains: ['youtube.com', 'youtu.be'],
  adapter: {
    verified: false,
    note: 'Title and description. The category, tags and languages do not change.',
    credentials: googleCredentials('YOUTUBE'),
    remoteId: /^[\w-]{6,64}$/,
  },
  oauth: {
    own: { ...GOOGLE_OAUTH, app: 'YOUTUBE', scopes: ['https://www.googleapis.com/auth/youtube'] },
  },
} as const satisfies NetworkDefinition;
