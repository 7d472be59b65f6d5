import type { Refusal } from '../../domain/errors.js';
import type { ExceededCap } from './post-ports.js';

/** The refusal of a post that exceeds a daily cap, with the next free time (D39). */
export const capRefusal = ({ postKind, limit, at, nextFreeAt }: ExceededCap): Refusal => ({
  code: 'DAILY_LIMIT_EXCEEDED',
  path: [],
  rule: 'Daily post limits',
  message: `At ${at.toISOString()} the account would exceed the limit of ${limit} publications (${postKind}) within 24 hours. Next free time: ${nextFreeAt.toISOString()}.`,
});
