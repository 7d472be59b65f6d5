/**
 * The words of the interface: each entry carries what it means and the heading of the interface document (or the
 * decision, D…) that it comes from. Enums and the pages of docs/reference are all made from these entries.
 */
export interface Word {
  /** One sentence for people. */
  readonly meaning: string;
  /** Heading of the interface document, or the number of a decision. */
  readonly source: string;
}

export const ROLES = {
  owner: {
    meaning: 'Owns the workspace: may do everything in it, approve included.',
    source: 'D4',
  },
  admin: { meaning: 'Has post-action access and may approve.', source: 'D4' },
  editor: {
    meaning: 'Edits own posts; others’ with post-action access. Restricted: may not approve.',
    source: 'D4',
  },
  viewer: { meaning: 'Reads; edits and deletes nothing, own posts included.', source: 'D4' },
} as const satisfies Record<string, Word>;
export type Role = keyof typeof ROLES;

export const PLANS = {
  free: { meaning: 'Free plan: no access to this interface.', source: 'Daily post limits' },
  professional: {
    meaning: 'Professional plan: no access to this interface.',
    source: 'Daily post limits',
  },
  business: {
    meaning: 'Business plan: the plan this interface is for.',
    source: 'What the service does',
  },
} as const satisfies Record<string, Word>;
export type Plan = keyof typeof PLANS;

export const POST_TYPES = {
  status: { meaning: 'Text only.', source: 'States and transitions' },
  link: { meaning: 'A link with its preview.', source: 'States and transitions' },
  photo: { meaning: 'One photo.', source: 'States and transitions' },
  gif: { meaning: 'An animated picture.', source: 'States and transitions' },
  video: { meaning: 'A video.', source: 'States and transitions' },
  reel: { meaning: 'A reel, on two networks.', source: 'States and transitions' },
  story: { meaning: 'A story, on two networks.', source: 'States and transitions' },
  short: { meaning: 'A short video on the video network.', source: 'States and transitions' },
  poll: { meaning: 'A question with options.', source: 'States and transitions' },
  document: { meaning: 'A document.', source: 'States and transitions' },
  carousel: { meaning: 'Several images.', source: 'States and transitions' },
  article: { meaning: 'A long text with content blocks.', source: 'States and transitions' },
} as const satisfies Record<string, Word>;
export type PostType = keyof typeof POST_TYPES;

export const JOB_STATUSES = {
  working: { meaning: 'Queued or running.', source: 'D42' },
  completed: {
    meaning: 'Finished; `failures` names what did not work, if anything.',
    source: 'Job status (asynchronous operations)',
  },
  failed: { meaning: 'Finished with nothing done; `failures` says why.', source: 'D42' },
} as const satisfies Record<string, Word>;
export type JobStatus = keyof typeof JOB_STATUSES;

export const JOB_KINDS = {
  network_edit: {
    meaning: 'Brings the change of a published post to its social network.',
    source: 'Update post, rule 6',
  },
  notification: { meaning: 'Delivers a notification.', source: 'Update post, rule 5' },
  import: { meaning: 'Brings posts in from an export.', source: 'D7' },
  purge: { meaning: 'Removes what has expired.', source: 'D32' },
} as const satisfies Record<string, Word>;
export type JobKind = keyof typeof JOB_KINDS;

export const DELETE_POLICIES = {
  skip_refused: {
    meaning: 'Deletes what may be deleted and says for each other id why not.',
    source: 'D31',
  },
  all_or_nothing: { meaning: 'Deletes nothing if one id is refused.', source: 'D31' },
} as const satisfies Record<string, Word>;
export type DeletePolicy = keyof typeof DELETE_POLICIES;

export const APPLIES_TO = {
  service: {
    meaning: 'The change stays in the service’s own records.',
    source: 'Update post, rule 3',
  },
  service_and_network: {
    meaning: 'The change is made on the social network too.',
    source: 'Update post, rule 6',
  },
} as const satisfies Record<string, Word>;
export type AppliesTo = keyof typeof APPLIES_TO;

export const SYNC_STATUSES = {
  pending: {
    meaning: 'The job that brings the change to the network has not ended.',
    source: 'D22',
  },
  synced: { meaning: 'The network shows the saved state.', source: 'D22' },
  failed: {
    meaning: 'The network refused; `error` says why and the service keeps the edit.',
    source: 'D22',
  },
  superseded: { meaning: 'A later change took this one’s place.', source: 'D22' },
} as const satisfies Record<string, Word>;
export type SyncStatus = keyof typeof SYNC_STATUSES;

export const ORDER_FIELDS = {
  scheduled_at: {
    meaning: 'By scheduled time; undated posts come last in both directions.',
    source: 'D14',
  },
  created_at: { meaning: 'By time of creation.', source: 'D14' },
} as const satisfies Record<string, Word>;
export type OrderField = keyof typeof ORDER_FIELDS;

export const ORDER_DIRECTIONS = {
  asc: { meaning: 'Earliest first.', source: 'D14' },
  desc: { meaning: 'Latest first.', source: 'D14' },
} as const satisfies Record<string, Word>;
export type OrderDirection = keyof typeof ORDER_DIRECTIONS;

/** The keys of a table in their own order, with their type. */
export const wordsOf = <K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] =>
  Object.keys(table) as K[];
