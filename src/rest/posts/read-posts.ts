import { POST_TYPES, enumKeys } from '../../domain/enums.js';
import type { Problem } from '../../domain/errors.js';
import type { PostFilter } from '../../domain/posts/post-query.js';
import { STATE_FILTERS } from '../../domain/posts/states.js';
import { AFTER_POSITION, ETAG, etagOf, IF_NONE_MATCH, presentWithEtag } from '../headers.js';
import {
  enumType,
  filterParam,
  FLAG,
  ID,
  listParam,
  PAGE_PARAMS,
  readParams,
  SEARCH,
  singleParam,
  TIME_RANGE,
  type QueryParams,
  type QueryParamValues,
} from '../query-params.js';
import { assertNoProblems, inWorkspace, readQuery } from '../route.js';
import {
  detailSelection,
  PER_PAGE,
  presentDetail,
  presentList,
  SUMMARY_SELECTION,
} from './post-bodies.js';

/** Query parameters of "List posts". */
export const LIST_PARAMS = {
  state: listParam(
    enumType(enumKeys(STATE_FILTERS)),
    'States of the posts. With several values, posts in any of the states are returned. A single value can be sent as `state=draft`.',
    { name: 'state[]', example: ['scheduled', 'draft_private'] },
  ),
  from: filterParam(
    TIME_RANGE,
    'Posts scheduled at or after this time. A date is the whole UTC day. Requires `to`.',
    '2026-11-01',
  ),
  to: filterParam(
    TIME_RANGE,
    'Posts scheduled at or before this time. A date is the whole UTC day. Requires `from`.',
    '2026-11-30',
  ),
  page: PAGE_PARAMS.page,
  account_ids: listParam(ID, 'Posts of these accounts.', {
    name: 'account_ids[]',
    example: ['acc_9sVb3kLw7QpD2hXe'],
  }),
  query: filterParam(
    SEARCH,
    'Words that must all occur in the text, title, excerpt, poll question, poll options, link title or alternative texts. Words of three letters or more also match longer words that begin with them. Quote "a phrase" of whole words; use -word to exclude a word.',
    '"autumn release" -draft',
  ),
  postType: filterParam(enumType(enumKeys(POST_TYPES)), 'Posts of this type.', 'link'),
  member_id: filterParam(
    ID,
    'Posts created by this member of the workspace.',
    'usr_1aBc2dEf3gHi4jKl',
  ),
} satisfies QueryParams;

/** Query parameters of "Get post". */
export const DETAIL_PARAMS = {
  analytics: singleParam(
    FLAG,
    'Adds `analytics` to imported and synced posts. Ignored for posts created through the gateway.',
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

/** Newest `scheduled_at` first, undated posts last (D14). */
export const LIST_POSTS = inWorkspace(
  {
    method: 'GET',
    path: '/v1/posts',
    operationId: 'listPosts',
    tag: 'Posts',
    summary: 'List posts',
    description:
      'Ten posts per page, newest `scheduled_at` first, undated posts last. A post must match every filter, and at least one of the values of each filter.',
    scopes: [['posts:read']],
    params: LIST_PARAMS,
    requestHeaders: [AFTER_POSITION],
    responseSchema: 'PostList',
  },
  async (viewer, { query }, { services }) => {
    const { values, problems } = readParams(LIST_PARAMS, query, 'ignore');
    assertNoProblems([
      ...problems,
      ...findTimeRangeProblems((name) => Boolean(query[name]), values),
    ]);
    const page = values.page ?? 0;
    const result = await services.visiblePosts.list(
      viewer,
      {
        filter: toFilter(values),
        order: { field: 'scheduled_at', direction: 'desc' },
        slice: { kind: 'page', page, perPage: PER_PAGE },
      },
      { fields: SUMMARY_SELECTION, totalCount: true, facets: false, items: true },
    );
    return { status: 200, body: presentList(page, result) };
  },
);

/** The response is 304 if the client has the current body. */
export const GET_POST = inWorkspace(
  {
    method: 'GET',
    path: '/v1/posts/{id}',
    operationId: 'getPost',
    tag: 'Posts',
    summary: 'Get post',
    description:
      'All fields of a post. Send the `ETag` of the response as `If-Match` of an update to detect concurrent changes.',
    scopes: [['posts:read']],
    params: DETAIL_PARAMS,
    requestHeaders: [IF_NONE_MATCH, AFTER_POSITION],
    responseSchema: 'PostDetail',
    responseHeaders: [{ ...ETAG, isAlwaysSent: true }],
    errorCodes: ['FORBIDDEN', 'POST_NOT_FOUND'],
  },
  async (viewer, { id, query, headers }, { services }) => {
    const { analytics = false } = readQuery(DETAIL_PARAMS, query);
    const post = await services.posts.get(viewer, id, detailSelection(analytics));
    const body = presentDetail(post, { analytics });
    return presentWithEtag(body, etagOf(post.version!, body), headers);
  },
);
