import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  pollLimits,
  textLimit,
  type NetworkDefinition,
} from './network-definition.js';

const POST_TYPES = ['status', 'link', 'photo', 'gif', 'video', 'poll'] as const;

export const mastodon = {
  name: 'Mastodon',
  description: 'Mastodon, a federated microblog.',
  source: 'D1',
  kind: { key: 'federated_microblog', description: 'Federated microblog.', source: 'Update post' },
  accountTypes: ['profile'],
  postTypes: POST_TYPES,
  limits: [
    { ...textLimit(500, 'code_points'), linkLength: 23 },
    ...mediaLimits(4),
    ...pollLimits(50),
  ],
  files: { photo: { maxBytes: 16 * MEGABYTE }, gif: { maxBytes: 16 * MEGABYTE } },
  dailyCaps: [dailyCap('post', [25, 50, 100], 'Federated microblog posts')],
  edits: [
    onNetwork('text'),
    onNetwork('title'),
    onNetwork('details.language'),
    onNetwork('options', { types: ['poll'] }),
    onNetwork('duration', { types: ['poll'] }),
    LABELS,
  ],
  editRate: { maxConcurrent: 4, maxPerMinute: 60 },
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'compared',
    postTypes: POST_TYPES,
    mediaTypes: ['photo', 'gif', 'video'],
  },
  postDomains: null,
  serverHost: /@(?<host>[^@/:]+\.[^@/:]+)(:\d+)?$/,
  adapter: {
    verified: false,
    note: 'Text, content warning (title), language, poll options and poll duration. Changing a poll’s options resets its votes. A poll that has ended cannot be edited.',
    credentials: {
      instance: {
        description: 'URL of the instance, such as https://mastodon.example.',
        secret: false,
      },
      accessToken: {
        description:
          'Access token with the scopes read:accounts, read:statuses, write:statuses and write:media.',
        secret: true,
      },
    },
    remoteId: /^\w{1,64}$/,
  },
} as const satisfies NetworkDefinition;
