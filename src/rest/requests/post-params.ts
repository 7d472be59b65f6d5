import type { Problem } from '../../domain/errors.js';
import type { PostFilter } from '../../domain/posts/post-query.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { STATE_FILTERS } from '../../domain/posts/states.js';
import { POST_TYPES, wordsOf } from '../../domain/vocabulary.js';
import { FLAG, ID, PAGE, POST_ID, SEARCH, TIME, wordOf, type Kind } from './param-kinds.js';
import { several, single, type Param, type ParamTable, type ParamValues } from './params.js';

const { deletedIds: MAX_DELETED } = REQUEST_LIMITS;

// The examples are the schema's: a parameter's own would be filled in where the reference is tried, and narrow every list.
const one = <T>(kind: Kind<T>, meaning: string, example: unknown): Param<T> =>
  single({ schema: { ...kind.schema, examples: [example] }, meaning }, kind.read);
const many = <T>(
  kind: Kind<T>,
  meaning: string,
  { shownAs, example }: { shownAs: string; example: readonly string[] },
): Param<T[]> =>
  several(
    { schema: { type: 'array', items: kind.schema, examples: [example] }, meaning, shownAs },
    kind.read,
  );

export const PAGE_PARAMS = {
  page: one(PAGE, 'Page number, from 0.', 0),
} satisfies ParamTable;

/** The table of "List posts". */
export const LIST_PARAMS = {
  state: many(
    wordOf(wordsOf(STATE_FILTERS)),
    'State values; several are a union. `state=draft` gives one.',
    { shownAs: 'state[]', example: ['scheduled', 'draft_private'] },
  ),
  from: one(
    TIME,
    'Posts scheduled on or after this time; a date is its whole UTC day. Needs `to`.',
    '2026-11-01',
  ),
  to: one(
    TIME,
    'Posts scheduled on or before this time; a date is its whole UTC day. Needs `from`.',
    '2026-11-30',
  ),
  page: PAGE_PARAMS.page,
  account_ids: many(ID, 'Posts of these accounts only.', {
    shownAs: 'account_ids[]',
    example: ['acc_9sVb3kLw7QpD2hXe'],
  }),
  query: one(
    SEARCH,
    'Words that all occur in text or title; "a phrase" in quotes, -word to exclude.',
    '"autumn release" -draft',
  ),
  postType: one(wordOf(wordsOf(POST_TYPES)), 'Posts of this type only.', 'link'),
  member_id: one(ID, 'Posts that this member of the workspace created.', 'usr_1aBc2dEf3gHi4jKl'),
} satisfies ParamTable;

export const DETAIL_PARAMS = {
  analytics: one(
    FLAG,
    'Adds `analytics` to imported and synced posts; ignored for posts created through the service.',
    true,
  ),
} satisfies ParamTable;

export const UPDATE_PARAMS = {
  dry_run: one(FLAG, 'Runs every rule and answers as the update would; changes nothing.', true),
} satisfies ParamTable;

const ids = many(POST_ID, `1 to ${MAX_DELETED} post identifiers of either kind.`, {
  shownAs: 'post_ids[]',
  example: ['6740a1f2c3d4e5f607182930', '7'],
});

export const DELETE_PARAMS = {
  post_ids: {
    ...ids,
    isRequired: true,
    schema: { ...ids.schema, minItems: 1, maxItems: MAX_DELETED },
    read(values) {
      const reading = ids.read(values);
      if (
        'expected' in reading ||
        (reading.value.length >= 1 && reading.value.length <= MAX_DELETED)
      )
        return reading;
      return { expected: `must be 1 to ${MAX_DELETED} post ids` };
    },
  } as Param<string[]>,
  dry_run: one(FLAG, 'Answers as the deletion would; deletes nothing.', true),
} satisfies ParamTable;

/** What the list is narrowed to, and what is wrong between two parameters that are right alone (D15). */
export function toFilter(values: ParamValues<typeof LIST_PARAMS>): PostFilter {
  const { state, from, to, account_ids: accountIds, query, postType, member_id: memberId } = values;
  return {
    ...(state && { states: state }),
    ...(from && { from: from.first }),
    ...(to && { to: to.last }),
    ...(accountIds && { accountIds }),
    ...(query !== undefined && { query }),
    ...(postType && { types: [postType] }),
    ...(memberId !== undefined && { memberId }),
  };
}

/** `from` and `to` come together and in order (D15). A date that could not be read was given all the same. */
export function spanProblems(
  isGiven: (name: 'from' | 'to') => boolean,
  { from, to }: ParamValues<typeof LIST_PARAMS>,
): Problem[] {
  if (isGiven('from') !== isGiven('to')) {
    const [missing, given] = isGiven('from') ? ['to', 'from'] : ['from', 'to'];
    return [
      { path: [missing], message: `required when ${given} is used: from and to come together` },
    ];
  }
  // A fraction between two milliseconds begins one after it ends: the same moment twice is in order.
  const isReversed =
    from !== undefined && to !== undefined && from.last > to.last && from.first > to.last;
  return isReversed ? [{ path: ['from'], message: 'must not be later than to' }] : [];
}
