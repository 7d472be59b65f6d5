import { ERRORS, type Refusal } from '../../domain/errors.js';
import { NOT_ACCESSIBLE } from '../../domain/rules/edit-rights.js';
import type { PostLookup } from './post-ports.js';

const REFUSALS = {
  unknown: {
    code: 'POST_NOT_FOUND',
    message: ERRORS.POST_NOT_FOUND.description,
    path: [],
    rule: 'D18',
  },
  inaccessible: { code: 'FORBIDDEN', message: NOT_ACCESSIBLE, path: [], rule: 'D18' },
} as const satisfies Record<Exclude<PostLookup<unknown>['kind'], 'found'>, Refusal>;

/** The refusal for an ID without an accessible post (D18). */
export const missingPostRefusal = (kind: keyof typeof REFUSALS): Refusal => REFUSALS[kind];
