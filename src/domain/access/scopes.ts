import type { Word } from '../vocabulary.js';

interface ScopeEntry extends Word {
  /** The scopes that this one grants besides itself. */
  readonly implies: readonly string[];
}

/** What a key may be used for, chosen when it is made and fixed from then on (D5). */
export const SCOPES = {
  workspaces: { meaning: 'Retrieve the user’s workspaces.', source: 'Authentication', implies: [] },
  accounts: {
    meaning: 'Retrieve the accounts of the selected workspace.',
    source: 'Authentication',
    implies: [],
  },
  posts: {
    meaning: 'Manage posts: read and write.',
    source: 'Authentication',
    implies: ['posts:read', 'posts:write'],
  },
  'posts:read': { meaning: 'Read posts, jobs and labels.', source: 'D5', implies: [] },
  'posts:write': { meaning: 'Update and delete posts.', source: 'D5', implies: [] },
  media: { meaning: 'Upload and list media.', source: 'Authentication', implies: [] },
} as const satisfies Record<string, ScopeEntry>;
export type Scope = keyof typeof SCOPES;

const grants = (held: Scope, wanted: Scope): boolean =>
  held === wanted || (SCOPES[held].implies as readonly string[]).includes(wanted);

/**
 * What is missing for a requirement in the form of `@requiresScopes`: the outer list is OR, the inner AND.
 * @returns the scopes missing from the alternative that lacks fewest, or an empty list where the requirement is met
 */
export function missingScopes(
  held: readonly Scope[],
  required: readonly (readonly Scope[])[],
): readonly Scope[] {
  const lacking = required.map((all) =>
    all.filter((wanted) => !held.some((one) => grants(one, wanted))),
  );
  return (
    lacking.reduce<readonly Scope[] | null>(
      (best, one) => (best === null || one.length < best.length ? one : best),
      null,
    ) ?? []
  );
}
