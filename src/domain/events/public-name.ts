import type { Post } from '../posts/post.js';

/**
 * Names under which the APIs present a property of a post, if they differ. Null: follows from
 * another property.
 */
const PUBLIC_NAMES: Partial<Record<keyof Post, string | null>> = {
  storedState: 'state',
  parentId: 'parent',
  hasMedia: null,
  reminder: null,
  ownFields: null,
  queuedAt: null,
  armedAt: null,
  retryAt: null,
  extendAt: null,
  occurrenceState: null,
  pausedAfterApproval: null,
};

/** The name under which the APIs present a property of a post; null if they do not. */
export const publicName = (field: keyof Post): string | null => {
  const name = PUBLIC_NAMES[field];
  return name === undefined ? field : name;
};
