import type { Word } from '../vocabulary.js';

/**
 * The disjoint storage states. A cell is what a row keeps; the state a post shows and every filter follow from it.
 * Drafts have two axes (D9): private, public or neither; dated or undated. The numbers are stored: never reuse one.
 */
export const CELLS = {
  scheduled: { number: 1, shows: 'scheduled' },
  scheduled_approved: { number: 2, shows: 'scheduled_approved' },
  scheduled_pending: { number: 3, shows: 'scheduled_pending' },
  scheduled_declined: { number: 4, shows: 'scheduled_declined' },
  scheduled_reauth: { number: 5, shows: 'scheduled_reauth' },
  scheduled_locked: { number: 6, shows: 'scheduled_locked' },
  published_posted: { number: 10, shows: 'published_posted' },
  published_deleted: { number: 11, shows: 'published_deleted' },
  published_hidden: { number: 12, shows: 'published_hidden' },
  draft_dated: { number: 20, shows: 'draft_dated' },
  draft_undated: { number: 21, shows: 'draft_undated' },
  draft_public_dated: { number: 22, shows: 'draft_public' },
  draft_public_undated: { number: 23, shows: 'draft_public' },
  draft_private_dated: { number: 24, shows: 'draft_private' },
  draft_private_undated: { number: 25, shows: 'draft_private' },
  failed: { number: 30, shows: 'failed' },
  recycling_active: { number: 40, shows: 'recycling_active' },
  recycling_paused: { number: 41, shows: 'recycling_paused' },
  recycling_expired: { number: 42, shows: 'recycling_expired' },
  recycling_failed: { number: 43, shows: 'recycling_failed' },
  recycling_pending: { number: 44, shows: 'recycling_pending' },
  recycling_declined: { number: 45, shows: 'recycling_declined' },
  recycling_reauth: { number: 46, shows: 'recycling_reauth' },
  recycling_locked: { number: 47, shows: 'recycling_locked' },
  recurring: { number: 50, shows: 'recurring' },
} as const;
export type Cell = keyof typeof CELLS;
/** The state a post carries: always the most specific value (D9). */
export type PostState = (typeof CELLS)[Cell]['shows'];

const ALL_CELLS = Object.keys(CELLS) as Cell[];
const group = (prefix: string): readonly Cell[] =>
  ALL_CELLS.filter((cell) => cell === prefix || cell.startsWith(`${prefix}_`));
const where = (...words: readonly string[]): readonly Cell[] =>
  ALL_CELLS.filter((cell) => words.every((word) => cell.split('_').includes(word)));

interface StateFilterEntry extends Word {
  readonly cells: readonly Cell[];
}
const filter = (meaning: string, cells: readonly Cell[]): StateFilterEntry => ({
  meaning,
  cells,
  source: 'States and transitions',
});

/** The document's 27 filter values: each is a set of cells, so that several of them are a union (D10). */
export const STATE_FILTERS = {
  all: filter('All posts regardless of state.', ALL_CELLS),
  scheduled: filter('All scheduled posts.', group('scheduled')),
  scheduled_approved: filter('Scheduled and approved.', ['scheduled_approved']),
  scheduled_pending: filter('Scheduled, pending approval.', ['scheduled_pending']),
  scheduled_declined: filter('Scheduled, declined.', ['scheduled_declined']),
  scheduled_reauth: filter('Scheduled, account needs reauthorization.', ['scheduled_reauth']),
  scheduled_locked: filter('Scheduled, locked by the plan.', ['scheduled_locked']),
  published: filter('All published posts.', group('published')),
  published_posted: filter('Successfully published.', ['published_posted']),
  published_deleted: filter('Published, then deleted on the network.', ['published_deleted']),
  published_hidden: filter('Published, hidden.', ['published_hidden']),
  draft: filter('All drafts.', group('draft')),
  draft_dated: filter('Drafts with a scheduled date.', where('draft', 'dated')),
  draft_undated: filter('Drafts without a scheduled date.', where('draft', 'undated')),
  draft_private: filter('Private drafts: the viewer’s own.', where('draft', 'private')),
  draft_public: filter('Public drafts.', where('draft', 'public')),
  failed: filter('Failed to publish.', ['failed']),
  recycling: filter('All recycling posts.', group('recycling')),
  recycling_active: filter('Active recycling.', ['recycling_active']),
  recycling_paused: filter('Paused recycling.', ['recycling_paused']),
  recycling_expired: filter('Expired recycling.', ['recycling_expired']),
  recycling_failed: filter('Failed recycling.', ['recycling_failed']),
  recycling_pending: filter('Recycling pending approval.', ['recycling_pending']),
  recycling_declined: filter('Recycling declined.', ['recycling_declined']),
  recycling_reauth: filter('Recycling, account needs reauthorization.', ['recycling_reauth']),
  recycling_locked: filter('Recycling, locked by the plan.', ['recycling_locked']),
  recurring: filter('Recurring series (their children carry states of their own).', ['recurring']),
} as const satisfies Record<string, StateFilterEntry>;
export type StateFilter = keyof typeof STATE_FILTERS;

/** What each state a post carries means, in the words of the filter of the same name. */
export const POST_STATES = Object.fromEntries(
  ALL_CELLS.map((cell) => CELLS[cell].shows).map((state) => [state, STATE_FILTERS[state]]),
) as Record<PostState, StateFilterEntry>;

const isIn = (name: StateFilter) => {
  const cells = new Set<Cell>(STATE_FILTERS[name].cells);
  return (cell: Cell): boolean => cells.has(cell);
};
export const isScheduled = isIn('scheduled');
export const isPublished = isIn('published');
export const isDraft = isIn('draft');
export const isPrivateDraft = isIn('draft_private');
export const isRecycling = isIn('recycling');
/** Waiting for approval (D12). */
export const isPending = (cell: Cell): boolean =>
  cell === 'scheduled_pending' || cell === 'recycling_pending';

/** The cells as rows keep them. */
export const cellNumbers = (cells: readonly Cell[]): number[] =>
  cells.map((cell) => CELLS[cell].number);

export const stateOfCell = (cell: Cell): PostState => CELLS[cell].shows;
export const cellOfNumber: ReadonlyMap<number, Cell> = new Map(
  ALL_CELLS.map((cell) => [CELLS[cell].number, cell]),
);

/** The cells that a list of filters names; null where it names them all. */
export function cellsOf(filters: readonly StateFilter[]): readonly Cell[] | null {
  if (filters.length === 0 || filters.includes('all')) return null;
  return [...new Set(filters.flatMap((name) => STATE_FILTERS[name].cells))];
}

/** Whether a post in this cell answers to any of the filters: the reader in memory, held to the one in SQL by a test. */
export const matchesState = (cell: Cell, filters: readonly StateFilter[]): boolean =>
  cellsOf(filters)?.includes(cell) ?? true;
