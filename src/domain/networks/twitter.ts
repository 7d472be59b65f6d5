import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  pollLimits,
  textLimit,
  unpublished,
  type NetworkDefinition,
} from './network-definition.js';

export const twitter = {
  name: 'X',
  description: 'X, formerly Twitter, a short-message network.',
  source: 'D1',
  kind: { key: 'short_message', description: 'Short-message network.', source: 'Update post' },
  accountTypes: ['profile'],
  postTypes: ['status', 'link', 'photo', 'gif', 'video', 'poll'],
  limits: [textLimit(280, 'weighted'), ...mediaLimits(4), ...pollLimits(25)],
  files: { photo: { maxBytes: 5 * MEGABYTE }, gif: { maxBytes: 15 * MEGABYTE } },
  dailyCaps: [dailyCap('post', [25, 50, 100], 'Short-message network posts')],
  edits: [LABELS],
  editRate: null,
  publishing: unpublished('compared'),
  postDomains: ['twitter.com', 'x.com'],
  adapter: null,
} as const satisfies NetworkDefinition;
