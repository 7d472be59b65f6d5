import type { Refusal } from '../../domain/errors.js';
import { OUT_OF_REACH } from '../../domain/posts/visibility.js';
import type { Found } from '../ports.js';

const REFUSALS = {
  unknown: {
    code: 'POST_NOT_FOUND',
    message: 'No post has that identifier.',
    path: [],
    rule: 'D18',
  },
  elsewhere: { code: 'FORBIDDEN', message: OUT_OF_REACH, path: [], rule: 'D18' },
} as const satisfies Record<Exclude<Found<unknown>['kind'], 'found'>, Refusal>;

/** Why an id leads to no post here (D18). */
export const missing = (kind: keyof typeof REFUSALS): Refusal => REFUSALS[kind];
