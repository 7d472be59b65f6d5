import {
  CELLS,
  POST_STATES,
  STATE_FILTERS,
  type PostState,
  type StateFilter,
} from '../../src/domain/posts/states.js';
import { EVENTS, TRANSITIONS, type StateEvent } from '../../src/domain/posts/transitions.js';
import { wordsOf } from '../../src/domain/vocabulary.js';
import { code, codes, NOTHING, page, table } from './markdown.js';

const shownIn = (filter: StateFilter): string[] => [
  ...new Set(STATE_FILTERS[filter].cells.map((cell) => CELLS[cell].shows)),
];
const isAll = (states: readonly string[]): boolean =>
  states.length === wordsOf<PostState>(POST_STATES).length;

/** The states that posts show before or after an event, in their own order. */
function statesOf(event: StateEvent, side: 'from' | 'to'): string {
  const states = new Set(
    TRANSITIONS.filter((row) => row.event === event).map((row) => CELLS[row[side]].shows),
  );
  return codes(wordsOf<PostState>(POST_STATES).filter((state) => states.has(state)));
}

/** docs/reference/states.md: what a post carries, what a filter may name, and what moves a post. */
export const statesPage = (): string =>
  page(
    'States',
    'In v1 as written here, in GraphQL in upper case. A post carries the most specific value. A draft has two axes, private or public and dated or undated: it shows `draft_private` or `draft_public` where it is one of those, and filters look at both axes.',
    '## What a filter may name',
    table(
      ['filter', 'meaning', 'posts that it finds show'],
      wordsOf<StateFilter>(STATE_FILTERS).map((filter) => {
        const shown = shownIn(filter);
        return [
          code(filter),
          STATE_FILTERS[filter].meaning,
          isAll(shown)
            ? 'any state'
            : shown.length === 1 && shown[0] === filter
              ? NOTHING
              : codes(shown),
        ];
      }),
    ),
    'A dash: the state of the same name alone. Several filters find the posts of each.',
    '## What moves a post',
    'Nothing else changes a state: this release makes no posts but those of series and imports, and publishes none. Two events move a draft along its dates, which its state may not show.',
    table(
      ['event', 'what happened', 'from', 'to', 'source'],
      wordsOf<StateEvent>(EVENTS).map((event) => [
        code(event),
        EVENTS[event].meaning,
        statesOf(event, 'from'),
        statesOf(event, 'to'),
        EVENTS[event].source,
      ]),
    ),
  );
