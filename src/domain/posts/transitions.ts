import { isPending, STATE_FILTERS, type Cell } from './states.js';

/** What may move a post from one state to another in this release: it publishes nothing and creates nothing but children (D11). */
export const EVENTS = {
  changed_without_approval: {
    meaning: 'Changed by a member who may not approve, in a workspace that requires approval.',
    source: 'D24',
  },
  series_started: { meaning: 'A scheduled post was given a rule to recur by.', source: 'D17' },
  series_ended: {
    meaning: 'A series’ rule was cleared: it is a scheduled post again.',
    source: 'D20',
  },
  dated: { meaning: 'A draft was given a date.', source: 'D9' },
  undated: { meaning: 'A draft’s date was cleared.', source: 'D9' },
  account_needs_reauth: {
    meaning: 'Its network no longer takes the account’s credentials.',
    source: 'D22',
  },
  account_reconnected: {
    meaning: 'The account was connected again: back to the leaf that it came from.',
    source: 'D22',
  },
  deleted_there: { meaning: 'Its network has the post no longer.', source: 'D22' },
} as const;
export type StateEvent = keyof typeof EVENTS;

interface Transition {
  readonly from: Cell;
  readonly event: StateEvent;
  readonly to: Cell;
}

const rows = (event: StateEvent, from: readonly Cell[], to: (cell: Cell) => Cell): Transition[] =>
  from.map((cell) => ({ from: cell, event, to: to(cell) })).filter((row) => row.from !== row.to);
const dated = (cell: Cell): Cell => cell.replace(/(un)?dated$/, 'dated') as Cell;
const undated = (cell: Cell): Cell => cell.replace(/(un)?dated$/, 'undated') as Cell;

/** Every move there is. A row that nothing fires is not here, and nothing changes a state past it (D11). */
export const TRANSITIONS: readonly Transition[] = [
  ...rows('changed_without_approval', STATE_FILTERS.scheduled.cells, () => 'scheduled_pending'),
  ...rows('changed_without_approval', STATE_FILTERS.recycling.cells, () => 'recycling_pending'),
  ...rows('series_started', STATE_FILTERS.scheduled.cells, () => 'recurring'),
  ...rows('series_ended', ['recurring'], () => 'scheduled'),
  ...rows('dated', STATE_FILTERS.draft_undated.cells, dated),
  ...rows('undated', STATE_FILTERS.draft_dated.cells, undated),
  ...rows('account_needs_reauth', STATE_FILTERS.scheduled.cells, () => 'scheduled_reauth'),
  ...rows('account_needs_reauth', STATE_FILTERS.recycling.cells, () => 'recycling_reauth'),
  ...STATE_FILTERS.scheduled.cells.flatMap((leaf) =>
    rows('account_reconnected', ['scheduled_reauth'], () => leaf),
  ),
  ...STATE_FILTERS.recycling.cells.flatMap((leaf) =>
    rows('account_reconnected', ['recycling_reauth'], () => leaf),
  ),
  ...rows('deleted_there', ['published_posted'], () => 'published_deleted'),
];

/** The cells that an event leads out of. */
export const cellsBefore = (event: StateEvent): readonly Cell[] => [
  ...new Set(TRANSITIONS.filter((row) => row.event === event).map(({ from }) => from)),
];

/**
 * Where a post goes whose account is connected again: to the leaf that it came from. Where that is not remembered it is
 * the one that publishes nothing unapproved.
 */
export function cellRestored(cell: Cell, cameFrom: Cell | null, requiresApproval: boolean): Cell {
  const leaves = TRANSITIONS.filter(
    (row) => row.event === 'account_reconnected' && row.from === cell,
  ).map(({ to }) => to);
  return (
    leaves.find((leaf) => leaf === cameFrom) ??
    leaves.find((leaf) => isPending(leaf) === requiresApproval) ??
    cell
  );
}

/** The cell after an event: the same one where the event moves nothing. */
export const cellAfter = (cell: Cell, event: StateEvent): Cell =>
  TRANSITIONS.find((row) => row.from === cell && row.event === event)?.to ?? cell;
