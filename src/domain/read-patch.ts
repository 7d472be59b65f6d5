import type { Problem } from './errors.js';
import type { PatchInput } from './patch-input.js';
import type { PostPatch } from './post.js';

/**
 * Reads a change as a door hands it over: checks every format that depends on neither network, type nor state, and
 * brings words to their canonical form. All problems at once; what has one is left out of `patch`. Never throws.
 */
export function readPatch(input: PatchInput): { patch: PostPatch; problems: Problem[] } {
  const problems: Problem[] = input.type === null ? [{ path: ['type'], message: 'cannot be null' }] : [];
  const { type, text, title, excerpt, question, url, scheduledAt } = input;
  return { patch: { ...(type && { type }), text, title, excerpt, question, url, scheduledAt }, problems };
}
