import {
  dailyCap,
  LABELS,
  mediaLimits,
  textLimit,
  unpublished,
  type NetworkDefinition,
} from './network-definition.js';

export const threads = {
  name: 'Threads',
  description: 'Threads, Instagram’s text-conversation app.',
  source: 'D1',
  kind: {
    key: 'text_conversation',
    description: 'The photo-sharing network’s text-conversation app.',
    source: 'Update post',
  },
  accountTypes: ['profile'],
  postTypes: ['status', 'link', 'photo', 'gif', 'video', 'carousel'],
  limits: [textLimit(500, 'code_points'), ...mediaLimits(1, 20)],
  dailyCaps: [dailyCap('post', [150, 200, 250], 'Text-conversation app posts')],
  edits: [LABELS],
  editRate: null,
  publishing: unpublished('exact'),
  postDomains: ['threads.net', 'threads.com'],
  adapter: null,
} as const satisfies NetworkDefinition;
