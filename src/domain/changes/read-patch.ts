import type { Problem } from '../errors.js';
import { shape } from '../input/readers.js';
import { PATCH_FIELDS, fieldOf } from '../posts/post-fields.js';
import type { PatchInput, PostPatch } from '../posts/post-patch.js';

const postPatch = shape<PostPatch>(
  Object.fromEntries(PATCH_FIELDS.map((field) => [field, fieldOf(field).read])) as never,
  { notNull: PATCH_FIELDS.filter((field) => fieldOf(field).empty === undefined) },
);

/**
 * Reads a patch from an API: checks all formats that do not depend on network, type or state (D21)
 * and normalizes enum values (D6). Returns all problems; a field with a problem is omitted from
 * `patch`, a list as a whole. Never throws.
 */
export function readPatch(input: PatchInput): { patch: PostPatch; problems: Problem[] } {
  const problems: Problem[] = [];
  return { patch: postPatch(input, [], problems) ?? {}, problems };
}
