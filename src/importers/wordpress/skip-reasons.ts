/** Reasons to skip an item of an export, with their text in the import report. */
export const SKIP_REASONS = {
  not_a_post: {
    description: 'Pages, menus, revisions and other items that are not posts.',
  },
  attachment: {
    description: 'A file of the media library: it is imported with the posts that use it.',
  },
  trashed: { description: 'The post is in the blog’s trash.' },
  unknown_status: { description: 'The post has a status that is not part of WordPress.' },
  no_id: { description: 'The post has no ID: a second import would duplicate it.' },
  too_large: { description: 'The item exceeds the maximum size.' },
} as const satisfies Record<string, { description: string }>;
/** Key of SKIP_REASONS. */
export type SkipReason = keyof typeof SKIP_REASONS;
