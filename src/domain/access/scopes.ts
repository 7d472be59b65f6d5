import type { VocabularyEntry } from '../enums.js';

interface ScopeEntry extends VocabularyEntry {
  /** Further scopes that this one includes. */
  readonly implies: readonly string[];
}

/** Scopes of a key. They are chosen when the key is created and cannot be changed (D5). */
export const SCOPES = {
  workspaces: { description: 'Read the user’s workspaces.', source: 'Authentication', implies: [] },
  accounts: {
    description: 'Read the accounts of the selected workspace.',
    source: 'Authentication',
    implies: [],
  },
  posts: {
    description: 'Read, create, update and delete posts. Includes `posts:read` and `posts:write`.',
    source: 'Authentication',
    implies: ['posts:read', 'posts:write'],
  },
  'posts:read': { description: 'Read posts, jobs and labels.', source: 'D5', implies: [] },
  'posts:write': { description: 'Create, update and delete posts.', source: 'D5', implies: [] },
  media: {
    description: 'Read the media library, and add media.',
    source: 'Authentication',
    implies: [],
  },
  webhooks: {
    description: 'Manage the webhooks of the workspace. For owners and admins.',
    source: 'D75',
    implies: [],
  },
} as const satisfies Record<string, ScopeEntry>;
export type Scope = keyof typeof SCOPES;

const grants = (held: Scope, required: Scope): boolean =>
  held === required || (SCOPES[held].implies as readonly string[]).includes(required);

/**
 * The scopes that a key lacks for the requirement of `@requiresScopes`: the outer list is OR, the
 * inner AND.
 * @returns the missing scopes of the alternative with the fewest, or an empty list if the
 * requirement is satisfied
 */
export function missingScopes(
  held: readonly Scope[],
  required: readonly (readonly Scope[])[],
): readonly Scope[] {
  const missingByAlternative = required.map((scopes) =>
    scopes.filter((scope) => !held.some((heldScope) => grants(heldScope, scope))),
  );
  return (
    missingByAlternative.reduce<readonly Scope[] | null>(
      (fewest, missing) => (fewest === null || missing.length < fewest.length ? missing : fewest),
      null,
    ) ?? []
  );
}
