/** Why an item of an export does not become a post. */
export const SKIP_REASONS = {
  not_a_post: { meaning: 'Pages, menus, revisions and other things of a blog that are not posts.' },
  attachment: { meaning: 'A file of the library: it comes in as media of the posts that use it.' },
  trashed: { meaning: 'The post is in the blog’s trash.' },
  unknown_status: { meaning: 'The post has a status that WordPress itself does not know.' },
  no_id: { meaning: 'The post has no id, so that importing twice would bring it in twice.' },
  too_large: { meaning: 'The item is larger than may be read at once.' },
} as const satisfies Record<string, { meaning: string }>;
export type SkipReason = keyof typeof SKIP_REASONS;
