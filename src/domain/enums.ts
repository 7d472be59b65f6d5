/**
 * An enum value of the APIs. GraphQL enums, OpenAPI and docs/reference are generated from these
 * tables.
 */
export interface VocabularyEntry {
  /** One sentence for users; contains no decision codes. */
  readonly description: string;
  /**
   * Heading of the interface document, or the decision (D…), that defines the value. Not shown to
   * users.
   */
  readonly source: string;
}

/** Roles of members in a workspace (D4). */
export const ROLES = {
  owner: {
    description: 'Owns the workspace. Has all rights in it, including approval.',
    source: 'D4',
  },
  admin: {
    description:
      'Can edit and delete posts of other members (post-action access), and approve posts.',
    source: 'D4',
  },
  editor: {
    description:
      'Can edit and delete their own posts and, with post-action access, those of other members. Cannot approve posts.',
    source: 'D4',
  },
  viewer: {
    description: 'Read-only access: cannot edit or delete posts, including their own.',
    source: 'D4',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type Role = keyof typeof ROLES;

/** Plans of users (D34). */
export const PLANS = {
  free: { description: 'Free plan, without API access.', source: 'Daily post limits' },
  professional: {
    description: 'Professional plan, without API access.',
    source: 'Daily post limits',
  },
  business: {
    description: 'Business plan, with API access.',
    source: 'What the service does',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type Plan = keyof typeof PLANS;

/** Types of posts. */
export const POST_TYPES = {
  status: { description: 'Text only.', source: 'States and transitions' },
  link: { description: 'A link with a preview.', source: 'States and transitions' },
  photo: { description: 'One photo.', source: 'States and transitions' },
  gif: { description: 'An animated image.', source: 'States and transitions' },
  video: { description: 'A video.', source: 'States and transitions' },
  reel: { description: 'A reel (Facebook and Instagram only).', source: 'States and transitions' },
  story: {
    description: 'A story (Facebook and Instagram only).',
    source: 'States and transitions',
  },
  short: { description: 'A short video (YouTube only).', source: 'States and transitions' },
  poll: { description: 'A question with answer options.', source: 'States and transitions' },
  document: { description: 'A document, such as a PDF.', source: 'States and transitions' },
  carousel: { description: 'Several images.', source: 'States and transitions' },
  article: { description: 'A long text made of content blocks.', source: 'States and transitions' },
} as const satisfies Record<string, VocabularyEntry>;
export type PostType = keyof typeof POST_TYPES;

/** Statuses of jobs (D42). */
export const JOB_STATUSES = {
  working: { description: 'Queued or running.', source: 'D42' },
  completed: {
    description: 'Finished. `failures` lists what could not be done, if anything.',
    source: 'Job status (asynchronous operations)',
  },
  failed: {
    description: 'Finished without doing anything. `failures` contains the reasons.',
    source: 'D42',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type JobStatus = keyof typeof JOB_STATUSES;

/** How a deletion treats posts that may not be deleted (D31). */
export const DELETE_POLICIES = {
  skip_refused: {
    description:
      'Deletes the posts that can be deleted and returns the reason for each of the others.',
    source: 'D31',
  },
  all_or_nothing: {
    description: 'Deletes nothing if any of the posts cannot be deleted.',
    source: 'D31',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type DeletePolicy = keyof typeof DELETE_POLICIES;

/** Where the change of a field applies. */
export const APPLIES_TO = {
  service: {
    description: 'The change is made in the gateway only.',
    source: 'Update post, rule 3',
  },
  service_and_network: {
    description: 'The change is made in the gateway and on the social network.',
    source: 'Update post, rule 6',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type AppliesTo = keyof typeof APPLIES_TO;

/** Statuses of network updates (D22). */
export const SYNC_STATUSES = {
  pending: {
    description: 'The network update is queued or running.',
    source: 'D22',
  },
  synced: { description: 'The network shows the saved post.', source: 'D22' },
  failed: {
    description:
      'The network rejected the update; `error` contains the reason. The gateway keeps the edit.',
    source: 'D22',
  },
  superseded: {
    description: 'A later change replaced this one before it reached the network.',
    source: 'D22',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type SyncStatus = keyof typeof SYNC_STATUSES;

/** Sort fields of lists of posts (D14). */
export const ORDER_FIELDS = {
  scheduled_at: {
    description: 'By scheduled time. Posts without one come last in both directions.',
    source: 'D14',
  },
  created_at: { description: 'By creation time.', source: 'D14' },
  engagement: {
    description:
      'By `PostAnalytics.engagement`. Only posts that have it are listed, as with `minEngagement: 0`.',
    source: 'D91',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type OrderField = keyof typeof ORDER_FIELDS;

/** Sort directions of lists of posts (D14). */
export const ORDER_DIRECTIONS = {
  asc: { description: 'Earliest or least first.', source: 'D14' },
  desc: { description: 'Latest or most first.', source: 'D14' },
} as const satisfies Record<string, VocabularyEntry>;
export type OrderDirection = keyof typeof ORDER_DIRECTIONS;

/** The keys of a table in declaration order, with their literal type. */
export const enumKeys = <K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] =>
  Object.keys(table) as K[];
