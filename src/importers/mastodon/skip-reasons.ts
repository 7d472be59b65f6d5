/** Why an activity of an outbox does not become a post. */
export const SKIP_REASONS = {
  boost: { meaning: 'Boosts of other posts.' },
  deletion: { meaning: 'Deletions: what they deleted is not brought in by them either.' },
  other_activity: { meaning: 'Likes, follows, updates and other activities that are no posts.' },
  direct: { meaning: 'Direct messages: only those they were written to may read them.' },
  not_a_post: { meaning: 'Articles, events and other things that Mastodon does not write.' },
  no_id: { meaning: 'The post has no id, so that importing twice would bring it in twice.' },
  unreadable: {
    meaning:
      'The item is malformed: no well-formed JSON, or without what a post must have, its text or attachments and its time.',
  },
  too_large: { meaning: 'The item is larger than may be read at once.' },
} as const satisfies Record<string, { meaning: string }>;
export type SkipReason = keyof typeof SKIP_REASONS;
