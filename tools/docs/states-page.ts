import {
  STORED_STATES,
  POST_STATES,
  STATE_FILTERS,
  type PostState,
  type StateFilter,
} from '../../src/domain/posts/states.js';
import { STATE_EVENTS, TRANSITIONS, type StateEvent } from '../../src/domain/posts/transitions.js';
import { enumKeys } from '../../src/domain/enums.js';
import { code, codes, page, ruleLink, table } from './markdown.js';

const statesMatching = (filter: StateFilter): string[] => [
  ...new Set(
    STATE_FILTERS[filter].storedStates.map((storedState) => STORED_STATES[storedState].state),
  ),
];
const isAll = (states: readonly string[]): boolean =>
  states.length === enumKeys<PostState>(POST_STATES).length;

/** The states of posts before or after an event, in the order of POST_STATES. */
function statesOf(event: StateEvent, side: 'from' | 'to'): string {
  const states = new Set(
    TRANSITIONS.filter((row) => row.event === event).map((row) => STORED_STATES[row[side]].state),
  );
  return codes(enumKeys<PostState>(POST_STATES).filter((state) => states.has(state)));
}

/** docs/reference/states.md: states of posts, state filters and transitions. */
export const statesPage = (): string =>
  page(
    'States',
    'This page lists the states as REST v1 spells them. GraphQL uses uppercase letters. A post has the most specific state that applies. A draft is private, public or neither, and either dated or undated. The state of a private or public draft is `draft_private` or `draft_public`. The filter `draft_dated` also finds such drafts with a date, and `draft_undated` finds such drafts without a date.',
    '## State filters',
    table(
      ['filter', 'description', 'states of matching posts'],
      enumKeys<StateFilter>(STATE_FILTERS).map((filter) => {
        const states = statesMatching(filter);
        return [
          code(filter),
          STATE_FILTERS[filter].description,
          isAll(states) ? 'any state' : codes(states),
        ];
      }),
    ),
    'If you send several state filters, a post must match at least one of them.',
    '## State transitions',
    'Only the events in this table change the state of a post. The events `dated` and `undated` do not change the state of a private or public draft, because `draft_private` and `draft_public` do not show whether the draft has a date.',
    table(
      ['event', 'description', 'from', 'to', 'rule'],
      enumKeys<StateEvent>(STATE_EVENTS).map((event) => [
        code(event),
        STATE_EVENTS[event].description,
        statesOf(event, 'from'),
        statesOf(event, 'to'),
        ruleLink(STATE_EVENTS[event].source),
      ]),
    ),
  );
