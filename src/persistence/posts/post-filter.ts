import {
  STORED_STATES,
  STATE_FILTERS,
  storedStateNumbers,
  storedStatesOf,
} from '../../domain/posts/states.js';
import type { PostFilter } from '../../domain/posts/post-query.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { publicationCondition } from './publication-filter.js';
import { searchConditions } from '../search/search-conditions.js';
import type { Parameters } from '../sql.js';

const PRIVATE_STATES = storedStateNumbers(STATE_FILTERS.draft_private.storedStates);
const PRIVATE_LIST = PRIVATE_STATES.join(', ');
/**
 * Posts that are not private drafts. Written as a literal, so that the planner can use the partial
 * index of the whole list.
 */
export const IS_SHARED = `p.stored_state NOT IN (${PRIVATE_LIST})`;

/**
 * A scan of an index that reads posts of a filter in list order. With `each`, one scan per value of
 * a column, merged, so that no scan reads posts that do not match.
 */
export interface IndexScan {
  /** All posts, or those of a driving condition. */
  readonly from: 'post' | 'driven';
  /** A column, and SQL for the values to scan separately. */
  readonly each: { readonly column: string; readonly values: string } | null;
  readonly conditions: readonly string[];
}

const isNonEmpty = (list: readonly unknown[] | undefined): boolean =>
  list !== undefined && list.length > 0;

/** Conditions for the fields of a filter that no index scan covers. */
function fieldConditions(
  { types, networks, labelIds, groupIds, publication, from, to, parentId, query }: PostFilter,
  viewer: Viewer,
  p: Parameters,
): string[] {
  const conditions: string[] = [];
  if (isNonEmpty(types)) conditions.push(`p.type = ANY(${p.add(types, 'post_type[]')})`);
  if (isNonEmpty(networks)) conditions.push(`p.network = ANY(${p.add(networks, 'network[]')})`);
  if (isNonEmpty(labelIds))
    conditions.push(
      `EXISTS (SELECT FROM post_label pl WHERE pl.post_id = p.id AND pl.label_id = ANY(${p.add(labelIds, 'text[]')}))`,
    );
  if (isNonEmpty(groupIds)) conditions.push(`p.group_id = ANY(${p.add(groupIds, 'text[]')})`);
  if (publication && isNonEmpty(publication)) conditions.push(publicationCondition(publication, p));
  if (from) conditions.push(`p.sort_at >= ${p.add(from, 'timestamptz')}`);
  if (to) conditions.push(`p.sort_at <= ${p.add(to, 'timestamptz')}`, "p.sort_at > '-infinity'");
  if (parentId !== undefined) conditions.push(`p.parent_id = ${p.add(parentId, 'bigint')}`);
  if (query) conditions.push(...searchConditions(query, viewer.workspace.id, p));
  return conditions;
}

/**
 * The stored states of a filter: those that all members see (null for all of them), and the
 * viewer's own private drafts.
 */
function storedStatesOfFilter(filter: PostFilter): {
  shared: number[] | null;
  ownDrafts: number[];
} {
  const storedStates = storedStatesOf(filter.states ?? [], filter.exactStates);
  if (storedStates === null) return { shared: null, ownDrafts: PRIVATE_STATES };
  const numbers = storedStateNumbers(storedStates);
  return {
    shared: numbers.filter((number) => !PRIVATE_STATES.includes(number)),
    ownDrafts: numbers.filter((number) => PRIVATE_STATES.includes(number)),
  };
}

const SHARED_STATES = Object.values(STORED_STATES)
  .map(({ number }) => number)
  .filter((number) => !PRIVATE_STATES.includes(number));

/** The same, with all stored states listed. */
export function visibleStoredStates(filter: PostFilter): {
  shared: readonly number[];
  ownDrafts: readonly number[];
} {
  const { shared, ownDrafts } = storedStatesOfFilter(filter);
  return { shared: shared ?? SHARED_STATES, ownDrafts };
}

/** Conditions for the stored states of a filter and their visibility to the viewer. */
function visibilityConditions(filter: PostFilter, viewer: Viewer, p: Parameters): string[] {
  const { shared, ownDrafts } = storedStatesOfFilter(filter);
  const inStates =
    shared === null
      ? []
      : [`p.stored_state = ANY(${p.add([...shared, ...ownDrafts], 'smallint[]')})`];
  return ownDrafts.length === 0
    ? inStates
    : [...inStates, `(${IS_SHARED} OR p.creator_id = ${p.add(viewer.user.id, 'text')})`];
}

const workspaceCondition = (viewer: Viewer, p: Parameters): string =>
  `p.workspace_id = ${p.add(viewer.workspace.id, 'text')}`;

/**
 * All conditions of a filter for this viewer: for facets, and for lists without a better index
 * scan.
 */
export const conditionsOf = (filter: PostFilter, viewer: Viewer, p: Parameters): string[] => [
  workspaceCondition(viewer, p),
  ...conditionsInWorkspace(filter, viewer, p),
];

/** The same without the workspace, if another condition implies it. */
function conditionsInWorkspace(filter: PostFilter, viewer: Viewer, p: Parameters): string[] {
  const conditions = [
    'p.deleted_at IS NULL',
    ...visibilityConditions(filter, viewer, p),
    ...fieldConditions(filter, viewer, p),
  ];
  if (isNonEmpty(filter.accountIds))
    conditions.push(`p.account_id = ANY(${p.add(filter.accountIds, 'text[]')})`);
  if (filter.memberId !== undefined)
    conditions.push(`p.creator_id = ${p.add(filter.memberId, 'text')}`);
  return conditions;
}

/**
 * The index scans of a list sorted by `sort_at`. Together they read every visible post of the
 * filter exactly once.
 */
export function indexScansOf(filter: PostFilter, viewer: Viewer, p: Parameters): IndexScan[] {
  if (filter.parentId !== undefined)
    return [{ from: 'post', each: null, conditions: conditionsOf(filter, viewer, p) }];
  if (isNonEmpty(filter.accountIds)) {
    // Posts of an account belong to its workspace, which the subquery checks.
    const values = `SELECT a.id FROM account a WHERE a.workspace_id = ${p.add(viewer.workspace.id, 'text')} AND a.id = ANY(${p.add(filter.accountIds, 'text[]')})`;
    return [
      {
        from: 'post',
        each: { column: 'p.account_id', values },
        conditions: conditionsInWorkspace({ ...filter, accountIds: [] }, viewer, p),
      },
    ];
  }
  const { shared, ownDrafts } = storedStatesOfFilter(filter);
  const rest = (): string[] => [
    workspaceCondition(viewer, p),
    'p.deleted_at IS NULL',
    ...fieldConditions(filter, viewer, p),
  ];
  const byState = (
    storedStates: readonly number[],
    extraConditions: readonly string[] = [],
  ): IndexScan => ({
    from: 'post',
    each: {
      column: 'p.stored_state',
      values: `SELECT unnest(${p.add(storedStates, 'smallint[]')})`,
    },
    conditions: [...rest(), ...extraConditions],
  });
  const createdBy = (userId: string): string => `p.creator_id = ${p.add(userId, 'text')}`;
  if (filter.memberId !== undefined) {
    const creatorDrafts = filter.memberId === viewer.user.id ? ownDrafts : [];
    return [
      byState([...(shared ?? SHARED_STATES), ...creatorDrafts], [createdBy(filter.memberId)]),
    ];
  }
  const scans: IndexScan[] = [];
  if (shared === null) scans.push({ from: 'post', each: null, conditions: [...rest(), IS_SHARED] });
  // Filters that exclude each other leave no state: one scan of no state finds no post.
  else if (shared.length > 0 || ownDrafts.length === 0) scans.push(byState(shared));
  if (ownDrafts.length > 0) scans.push(byState(ownDrafts, [createdBy(viewer.user.id)]));
  return scans;
}
