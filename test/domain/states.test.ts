import {
  CELLS,
  POST_STATES,
  STATE_FILTERS,
  cellOfNumber,
  cellsOf,
  matchesState,
  stateOfCell,
  type Cell,
  type StateFilter,
} from '../../src/domain/posts/states.js';
import { wordsOf } from '../../src/domain/vocabulary.js';

const ALL = wordsOf(CELLS) as readonly Cell[];

/** The document's table "States and transitions", filter by filter, with the cells of each. */
const DOCUMENT: Record<StateFilter, readonly Cell[]> = {
  all: ALL,
  scheduled: [
    'scheduled',
    'scheduled_approved',
    'scheduled_pending',
    'scheduled_declined',
    'scheduled_reauth',
    'scheduled_locked',
  ],
  scheduled_approved: ['scheduled_approved'],
  scheduled_pending: ['scheduled_pending'],
  scheduled_declined: ['scheduled_declined'],
  scheduled_reauth: ['scheduled_reauth'],
  scheduled_locked: ['scheduled_locked'],
  published: ['published_posted', 'published_deleted', 'published_hidden'],
  published_posted: ['published_posted'],
  published_deleted: ['published_deleted'],
  published_hidden: ['published_hidden'],
  draft: [
    'draft_dated',
    'draft_undated',
    'draft_public_dated',
    'draft_public_undated',
    'draft_private_dated',
    'draft_private_undated',
  ],
  draft_dated: ['draft_dated', 'draft_public_dated', 'draft_private_dated'],
  draft_undated: ['draft_undated', 'draft_public_undated', 'draft_private_undated'],
  draft_private: ['draft_private_dated', 'draft_private_undated'],
  draft_public: ['draft_public_dated', 'draft_public_undated'],
  failed: ['failed'],
  recycling: [
    'recycling_active',
    'recycling_paused',
    'recycling_expired',
    'recycling_failed',
    'recycling_pending',
    'recycling_declined',
    'recycling_reauth',
    'recycling_locked',
  ],
  recycling_active: ['recycling_active'],
  recycling_paused: ['recycling_paused'],
  recycling_expired: ['recycling_expired'],
  recycling_failed: ['recycling_failed'],
  recycling_pending: ['recycling_pending'],
  recycling_declined: ['recycling_declined'],
  recycling_reauth: ['recycling_reauth'],
  recycling_locked: ['recycling_locked'],
  recurring: ['recurring'],
};

test('the document’s 27 filters, each with exactly its cells', () => {
  expect(wordsOf(STATE_FILTERS)).toEqual(Object.keys(DOCUMENT));
  expect(wordsOf(STATE_FILTERS)).toHaveLength(27);
  for (const [name, cells] of Object.entries(DOCUMENT))
    expect([name, [...STATE_FILTERS[name as StateFilter].cells].sort()]).toEqual([
      name,
      [...cells].sort(),
    ]);
});

test('a post shows one of 23 states, which is its own most specific filter', () => {
  expect(Object.keys(POST_STATES)).toHaveLength(23);
  for (const cell of ALL) {
    const state = stateOfCell(cell);
    expect(matchesState(cell, [state])).toBe(true);
    expect([...STATE_FILTERS[state].cells].length).toBeLessThanOrEqual(
      state === 'scheduled' ? 6 : 3,
    );
    expect(cellOfNumber.get(CELLS[cell].number)).toBe(cell);
  }
  expect(new Set(ALL.map((cell) => CELLS[cell].number)).size).toBe(25);
});

test('a group takes in all its members, and all takes in everything', () => {
  for (const group of ['scheduled', 'published', 'draft', 'recycling'] as const) {
    const members = wordsOf(STATE_FILTERS).filter((name) => name.startsWith(`${group}_`));
    for (const member of members)
      expect(STATE_FILTERS[group].cells).toEqual(
        expect.arrayContaining([...STATE_FILTERS[member].cells]),
      );
  }
  for (const cell of ALL) expect(matchesState(cell, ['all'])).toBe(true);
});

test('several filters are a union; none, and all, narrow nothing', () => {
  expect([cellsOf([]), cellsOf(['failed', 'all'])]).toEqual([null, null]);
  expect([...cellsOf(['draft_private', 'draft_dated'])!].sort()).toEqual([
    'draft_dated',
    'draft_private_dated',
    'draft_private_undated',
    'draft_public_dated',
  ]);
  for (const cell of ALL)
    expect(matchesState(cell, ['failed', 'published'])).toBe(
      cell === 'failed' || cell.startsWith('published'),
    );
});
