/** Reasons to skip an activity of an outbox, with their text in the import report. */
export const SKIP_REASONS = {
  boost: { description: 'Boosts of other posts.' },
  deletion: { description: 'Deletions of posts: they contain no post to import.' },
  other_activity: {
    description: 'Likes, follows, updates and other activities that are not posts.',
  },
  direct: { description: 'Direct messages: only their recipients may read them.' },
  not_a_post: { description: 'Articles, events and other objects that Mastodon does not create.' },
  no_id: { description: 'The post has no ID: a second import would duplicate it.' },
  unreadable: {
    description:
      'The item is malformed: it is not valid JSON, or it has no time, or neither text nor attachments.',
  },
  too_large: { description: 'The item exceeds the maximum size.' },
} as const satisfies Record<string, { description: string }>;
/** Key of SKIP_REASONS. */
export type SkipReason = keyof typeof SKIP_REASONS;
