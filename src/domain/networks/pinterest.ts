import { hasVisibleText } from '../input/text-readers.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  textLimit,
  unpublished,
  type NetworkDefinition,
  type PostContent,
} from './network-definition.js';

export const pinterest = {
  name: 'Pinterest',
  description: 'Pinterest, a pin board network.',
  source: 'D1',
  kind: { key: 'pin_board', description: 'Pin board network.', source: 'Update post' },
  accountTypes: ['profile', 'business'],
  postTypes: ['photo', 'video', 'carousel'],
  needs: [
    {
      path: ['networkOptions', 'boardId'],
      isMet: ({ networkOptions }: PostContent) => hasVisibleText(networkOptions?.boardId),
      message: 'is required: the ID of the board to pin to.',
    },
  ],
  limits: [
    { field: 'title', max: 100, unit: 'code_points' },
    textLimit(800, 'code_points'),
    { field: 'url', max: 2_048, unit: 'code_points' },
    { field: 'media.altText', max: 500, unit: 'code_points' },
    ...mediaLimits(1, 5),
  ],
  dailyCaps: [dailyCap('pin', [12, 24, 36], 'Pin board pins')],
  edits: [LABELS],
  editRate: null,
  publishing: unpublished('compared'),
  postDomains: ['pinterest', 'pin.it'],
  adapter: null,
} as const satisfies NetworkDefinition;
