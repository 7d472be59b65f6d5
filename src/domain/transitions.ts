import { STATE_FILTERS, type Cell } from './states.js';

/** What may move a post from one state to another in this release: it publishes nothing and creates nothing but children (D11). */
const EVENTS = {
  changed_without_approval: { meaning: 'Changed by a member who may not approve, in a workspace that requires approval.', source: 'D24', firedBy: 'updatePost' },
  series_started: { meaning: 'A scheduled post was given a rule to recur by.', source: 'D17', firedBy: 'updatePost' },
  series_ended: { meaning: 'A series’ rule was cleared: it is a scheduled post again.', source: 'D20', firedBy: 'updatePost' },
  dated: { meaning: 'A draft was given a date.', source: 'D9', firedBy: 'updatePost' },
  undated: { meaning: 'A draft’s date was cleared.', source: 'D9', firedBy: 'updatePost' },
} as const;
export type StateEvent = keyof typeof EVENTS;

interface Transition { readonly from: Cell; readonly event: StateEvent; readonly to: Cell }

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
];

/** The cell after an event: the same one where the event moves nothing. */
export const cellAfter = (cell: Cell, event: StateEvent): Cell =>
  TRANSITIONS.find((row) => row.from === cell && row.event === event)?.to ?? cell;
