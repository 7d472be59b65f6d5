import type { VocabularyEntry } from '../enums.js';

/**
 * The stored states, which are disjoint. A post's public state and all state filters are derived
 * from its stored state. Drafts have two axes (D9): private, public or neither; dated or undated.
 * The numbers are in the database: never reuse one.
 */
export const STORED_STATES = {
  scheduled: { number: 1, state: 'scheduled' },
  scheduled_approved: { number: 2, state: 'scheduled_approved' },
  scheduled_pending: { number: 3, state: 'scheduled_pending' },
  scheduled_declined: { number: 4, state: 'scheduled_declined' },
  scheduled_reauth: { number: 5, state: 'scheduled_reauth' },
  scheduled_locked: { number: 6, state: 'scheduled_locked' },
  published_posted: { number: 10, state: 'published_posted' },
  published_deleted: { number: 11, state: 'published_deleted' },
  published_hidden: { number: 12, state: 'published_hidden' },
  draft_dated: { number: 20, state: 'draft_dated' },
  draft_undated: { number: 21, state: 'draft_undated' },
  draft_public_dated: { number: 22, state: 'draft_public' },
  draft_public_undated: { number: 23, state: 'draft_public' },
  draft_private_dated: { number: 24, state: 'draft_private' },
  draft_private_undated: { number: 25, state: 'draft_private' },
  failed: { number: 30, state: 'failed' },
  recycling_active: { number: 40, state: 'recycling_active' },
  recycling_paused: { number: 41, state: 'recycling_paused' },
  recycling_expired: { number: 42, state: 'recycling_expired' },
  recycling_failed: { number: 43, state: 'recycling_failed' },
  recycling_pending: { number: 44, state: 'recycling_pending' },
  recycling_declined: { number: 45, state: 'recycling_declined' },
  recycling_reauth: { number: 46, state: 'recycling_reauth' },
  recycling_locked: { number: 47, state: 'recycling_locked' },
  recurring: { number: 50, state: 'recurring' },
} as const;
/** A stored state. */
export type StoredState = keyof typeof STORED_STATES;
/** The state that clients see: always the most specific value (D9). */
export type PostState = (typeof STORED_STATES)[StoredState]['state'];

const ALL_STORED_STATES = Object.keys(STORED_STATES) as StoredState[];
const statesWithPrefix = (prefix: string): readonly StoredState[] =>
  ALL_STORED_STATES.filter(
    (storedState) => storedState === prefix || storedState.startsWith(`${prefix}_`),
  );
const statesWithParts = (...parts: readonly string[]): readonly StoredState[] =>
  ALL_STORED_STATES.filter((storedState) =>
    parts.every((part) => storedState.split('_').includes(part)),
  );

interface StateFilterEntry extends VocabularyEntry {
  readonly storedStates: readonly StoredState[];
}
const filter = (description: string, storedStates: readonly StoredState[]): StateFilterEntry => ({
  description,
  storedStates,
  source: 'States and transitions',
});

/**
 * The 27 filter values of the interface document. Each is a set of stored states; several filters
 * are a union (D10).
 */
export const STATE_FILTERS = {
  all: filter('All posts, regardless of state.', ALL_STORED_STATES),
  scheduled: filter('All scheduled posts.', statesWithPrefix('scheduled')),
  scheduled_approved: filter('Scheduled and approved.', ['scheduled_approved']),
  scheduled_pending: filter('Scheduled and pending approval.', ['scheduled_pending']),
  scheduled_declined: filter('Scheduled, but declined.', ['scheduled_declined']),
  scheduled_reauth: filter('Scheduled, but the account needs reauthorization.', [
    'scheduled_reauth',
  ]),
  scheduled_locked: filter('Scheduled, but the workspace is locked.', ['scheduled_locked']),
  published: filter('All published posts.', statesWithPrefix('published')),
  published_posted: filter('Successfully published.', ['published_posted']),
  published_deleted: filter('Published, then deleted on the network.', ['published_deleted']),
  published_hidden: filter('Published, but hidden.', ['published_hidden']),
  draft: filter('All drafts.', statesWithPrefix('draft')),
  draft_dated: filter('Drafts with a scheduled date.', statesWithParts('draft', 'dated')),
  draft_undated: filter('Drafts without a scheduled date.', statesWithParts('draft', 'undated')),
  draft_private: filter('Your own private drafts.', statesWithParts('draft', 'private')),
  draft_public: filter('Public drafts.', statesWithParts('draft', 'public')),
  failed: filter('Publication failed.', ['failed']),
  recycling: filter('All recycling posts.', statesWithPrefix('recycling')),
  recycling_active: filter('Recycling is active.', ['recycling_active']),
  recycling_paused: filter('Recycling is paused.', ['recycling_paused']),
  recycling_expired: filter('Recycling has expired.', ['recycling_expired']),
  recycling_failed: filter('Recycling has failed.', ['recycling_failed']),
  recycling_pending: filter('Recycling is pending approval.', ['recycling_pending']),
  recycling_declined: filter('Recycling was declined.', ['recycling_declined']),
  recycling_reauth: filter('Recycling is stopped: the account needs reauthorization.', [
    'recycling_reauth',
  ]),
  recycling_locked: filter('Recycling is stopped: the workspace is locked.', ['recycling_locked']),
  recurring: filter('Recurring series. Their occurrences are posts with their own states.', [
    'recurring',
  ]),
} as const satisfies Record<string, StateFilterEntry>;
/** A filter value. */
export type StateFilter = keyof typeof STATE_FILTERS;

/** Descriptions of the states whose filter of the same name describes a group of posts. */
const STATE_DESCRIPTIONS: Partial<Record<PostState, string>> = {
  scheduled: 'Scheduled for publication. Needs no approval.',
  draft_dated: 'Draft with a scheduled date, neither private nor public.',
  draft_undated: 'Draft without a scheduled date, neither private nor public.',
  draft_private: 'Private draft, visible only to its creator.',
  draft_public: 'Public draft.',
  recurring: 'Recurring series. Its occurrences are posts with their own states.',
};

/** The public states. */
export const POST_STATES = Object.fromEntries(
  ALL_STORED_STATES.map((storedState) => STORED_STATES[storedState].state).map((state) => [
    state,
    {
      description: STATE_DESCRIPTIONS[state] ?? STATE_FILTERS[state].description,
      source: STATE_FILTERS[state].source,
    },
  ]),
) as Record<PostState, VocabularyEntry>;

const isIn = (name: StateFilter) => {
  const storedStates = new Set<StoredState>(STATE_FILTERS[name].storedStates);
  return (storedState: StoredState): boolean => storedStates.has(storedState);
};
/** Whether a stored state matches the filter of this name. */
export const isScheduled = isIn('scheduled');
export const isPublished = isIn('published');
export const isDraft = isIn('draft');
export const isPrivateDraft = isIn('draft_private');
export const isRecycling = isIn('recycling');
/** Whether a post waits for approval (D12). */
export const isPending = (storedState: StoredState): boolean =>
  storedState === 'scheduled_pending' || storedState === 'recycling_pending';

/** The states of posts whose approval was declined. */
export const DECLINED_STATES = [
  'scheduled_declined',
  'recycling_declined',
] as const satisfies readonly StoredState[];
/** Whether the approval of a post was declined (D64). */
export const isDeclined = (storedState: StoredState): boolean =>
  (DECLINED_STATES as readonly StoredState[]).includes(storedState);

/** The database values of stored states. */
export const storedStateNumbers = (storedStates: readonly StoredState[]): number[] =>
  storedStates.map((storedState) => STORED_STATES[storedState].number);

/** The public state of a stored state. */
export const toPostState = (storedState: StoredState): PostState =>
  STORED_STATES[storedState].state;
/** Stored states by their database value. */
export const storedStateByNumber: ReadonlyMap<number, StoredState> = new Map(
  ALL_STORED_STATES.map((storedState) => [STORED_STATES[storedState].number, storedState]),
);

/**
 * The stored states that match any of the filters, and are shown as one of the exact states; null
 * if all of them do. An empty list is no condition.
 */
export function storedStatesOf(
  filters: readonly StateFilter[],
  exactStates: readonly PostState[] = [],
): readonly StoredState[] | null {
  const matching: readonly StoredState[] | null =
    filters.length === 0 || filters.includes('all')
      ? null
      : [...new Set(filters.flatMap((name) => STATE_FILTERS[name].storedStates))];
  return exactStates.length === 0
    ? matching
    : (matching ?? ALL_STORED_STATES).filter((stored) => exactStates.includes(toPostState(stored)));
}
