import type { Problem } from '../../domain/errors.js';
import type { PostFilter } from '../../domain/posts/post-query.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { STATE_FILTERS } from '../../domain/posts/states.js';
import { POST_TYPES, enumKeys } from '../../domain/enums.js';
import {
  FLAG,
  ID,
  PAGE,
  POST_ID,
  SEARCH,
  TIME_RANGE,
  enumType,
  type ParamType,
} from './param-types.js';
import {
  filterParam,
  listParam,
  singleParam,
  type QueryParam,
  type QueryParams,
  type QueryParamValues,
} from './params.js';

const { deletedIds: MAX_DELETED } = REQUEST_LIMITS;

// Examples belong to the schema: Swagger UI fills in a parameter's own examples, which would filter
// every list.
const single = <T>(type: ParamType<T>, description: string, example: unknown): QueryParam<T> =>
  singleParam({ schema: { ...type.schema, examples: [example] }, description }, type.read);
const filter = <T>(type: ParamType<T>, description: string, example: unknown) =>
  filterParam({ schema: { ...type.schema, examples: [example] }, description }, type.read);
const list = <T>(
  type: ParamType<T>,
  description: string,
  { name, example }: { name: string; example: readonly string[] },
): QueryParam<T[]> =>
  listParam(
    {
      schema: { type: 'array', items: type.schema, examples: [example] },
      description,
      documentedName: name,
    },
    type.read,
  );

/** Query parameters of lists with pages. */
export const PAGE_PARAMS = {
  page: filter(PAGE, 'Page number, starting at 0.', 0),
} satisfies QueryParams;

/** Query parameters of "List posts". */
export const LIST_PARAMS = {
  state: list(
    enumType(enumKeys(STATE_FILTERS)),
    'States of the posts. With several values, posts in any of the states are returned. A single value can be sent as `state=draft`.',
    { name: 'state[]', example: ['scheduled', 'draft_private'] },
  ),
  from: filter(
    TIME_RANGE,
    'Posts scheduled at or after this time. A date is the whole UTC day. Requires `to`.',
    '2026-11-01',
  ),
  to: filter(
    TIME_RANGE,
    'Posts scheduled at or before this time. A date is the whole UTC day. Requires `from`.',
    '2026-11-30',
  ),
  page: PAGE_PARAMS.page,
  account_ids: list(ID, 'Posts of these accounts.', {
    name: 'account_ids[]',
    example: ['acc_9sVb3kLw7QpD2hXe'],
  }),
  query: filter(
    SEARCH,
    'Words that must all occur in the text, title, excerpt, poll question, poll options, link title or alternative texts. Words of three letters or more also match longer words that begin with them. Quote "a phrase" of whole words; use -word to exclude a word.',
    '"autumn release" -draft',
  ),
  postType: filter(enumType(enumKeys(POST_TYPES)), 'Posts of this type.', 'link'),
  member_id: filter(ID, 'Posts created by this member of the workspace.', 'usr_1aBc2dEf3gHi4jKl'),
} satisfies QueryParams;

/** Query parameters of "Get post". */
export const DETAIL_PARAMS = {
  analytics: single(
    FLAG,
    'Adds `analytics` to imported and synced posts. Ignored for posts created through the gateway.',
    true,
  ),
} satisfies QueryParams;

/** Query parameters of the creation of posts. */
export const CREATE_PARAMS = {
  dry_run: single(
    FLAG,
    'Checks all rules and returns what would be created, without creating anything.',
    true,
  ),
} satisfies QueryParams;

/** Query parameters of "Update post". */
export const UPDATE_PARAMS = {
  dry_run: single(
    FLAG,
    'Checks all rules and returns the response that the update would have, without changing anything. Labels and media that would be created have placeholder IDs such as `dry_run_label_1` and `dry_run_media_1`.',
    true,
  ),
} satisfies QueryParams;

const ids = list(
  POST_ID,
  `1 to ${MAX_DELETED} post IDs. Document IDs and database IDs are accepted.`,
  {
    name: 'post_ids[]',
    example: ['6740a1f2c3d4e5f607182930', '7'],
  },
);

/** Query parameters of "Delete posts". */
export const DELETE_PARAMS = {
  post_ids: {
    ...ids,
    isRequired: true,
    schema: { ...ids.schema, minItems: 1, maxItems: MAX_DELETED },
    read(values) {
      const result = ids.read(values);
      if ('expected' in result || (result.value.length >= 1 && result.value.length <= MAX_DELETED))
        return result;
      return { expected: `must be 1 to ${MAX_DELETED} post IDs` };
    },
  } as QueryParam<string[]>,
  on_network: single(
    FLAG,
    'Whether to remove published posts from their social networks first. The response is then 202 with a job, which deletes the posts here as soon as their networks no longer have them.',
    true,
  ),
  dry_run: single(
    FLAG,
    'Returns the response that the deletion would have, without deleting anything.',
    true,
  ),
} satisfies QueryParams;

/** Converts query parameters to the filter of the list. */
export function toFilter(values: QueryParamValues<typeof LIST_PARAMS>): PostFilter {
  const { state, from, to, account_ids: accountIds, query, postType, member_id: memberId } = values;
  return {
    ...(state && { states: state }),
    ...(from && { from: from.start }),
    ...(to && { to: to.end }),
    ...(accountIds && { accountIds }),
    ...(query !== undefined && { query }),
    ...(postType && { types: [postType] }),
    ...(memberId !== undefined && { memberId }),
  };
}

/**
 * Checks that `from` and `to` are sent together and in order (D15). An unreadable date counts as
 * sent.
 */
export function findTimeRangeProblems(
  isSent: (name: 'from' | 'to') => boolean,
  { from, to }: QueryParamValues<typeof LIST_PARAMS>,
): Problem[] {
  if (isSent('from') !== isSent('to')) {
    const [missing, sent] = isSent('from') ? ['to', 'from'] : ['from', 'to'];
    return [
      {
        path: [missing],
        message: `required when ${sent} is used: from and to must be sent together`,
      },
    ];
  }
  // A time between two milliseconds has start > end; the same time for from and to must still count
  // as in order.
  const isReversed =
    from !== undefined && to !== undefined && from.end > to.end && from.start > to.end;
  return isReversed ? [{ path: ['from'], message: 'must not be later than to' }] : [];
}
