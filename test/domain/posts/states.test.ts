import {
  STORED_STATES,
  POST_STATES,
  STATE_FILTERS,
  storedStateByNumber,
  storedStatesOf,
  toPostState,
  type StoredState,
  type StateFilter,
} from '../../../src/domain/posts/states.js';
import { matchesState } from '../../fixtures/matching.js';
import { enumKeys } from '../../../src/domain/enums.js';

const ALL = enumKeys(STORED_STATES) as readonly StoredState[];

/**
 * The document's table "States and transitions", filter by filter, with the stored states of each.
 */
const DOCUMENT: Record<StateFilter, readonly StoredState[]> = {
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

test('the document’s 27 filters, each with exactly its stored states', () => {
  expect(enumKeys(STATE_FILTERS)).toEqual(Object.keys(DOCUMENT));
  expect(enumKeys(STATE_FILTERS)).toHaveLength(27);
  for (const [name, storedStates] of Object.entries(DOCUMENT))
    expect([name, [...STATE_FILTERS[name as StateFilter].storedStates].sort()]).toEqual([
      name,
      [...storedStates].sort(),
    ]);
});

test('a post has one of 23 public states, which is its most specific filter', () => {
  expect(Object.keys(POST_STATES)).toHaveLength(23);
  for (const storedState of ALL) {
    const state = toPostState(storedState);
    expect(matchesState(storedState, [state])).toBe(true);
    expect([...STATE_FILTERS[state].storedStates].length).toBeLessThanOrEqual(
      state === 'scheduled' ? 6 : 3,
    );
    expect(storedStateByNumber.get(STORED_STATES[storedState].number)).toBe(storedState);
  }
  expect(new Set(ALL.map((storedState) => STORED_STATES[storedState].number)).size).toBe(25);
});

test('a group contains all its members, and `all` contains every stored state', () => {
  for (const group of ['scheduled', 'published', 'draft', 'recycling'] as const) {
    const members = enumKeys(STATE_FILTERS).filter((name) => name.startsWith(`${group}_`));
    for (const member of members)
      expect(STATE_FILTERS[group].storedStates).toEqual(
        expect.arrayContaining([...STATE_FILTERS[member].storedStates]),
      );
  }
  for (const storedState of ALL) expect(matchesState(storedState, ['all'])).toBe(true);
});

test('several filters are a union; an empty list and `all` match everything', () => {
  expect([storedStatesOf([]), storedStatesOf(['failed', 'all'])]).toEqual([null, null]);
  expect([...storedStatesOf(['draft_private', 'draft_dated'])!].sort()).toEqual([
    'draft_dated',
    'draft_private_dated',
    'draft_private_undated',
    'draft_public_dated',
  ]);
  for (const storedState of ALL)
    expect(matchesState(storedState, ['failed', 'published'])).toBe(
      storedState === 'failed' || storedState.startsWith('published'),
    );
});
