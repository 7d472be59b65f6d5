import { CELLS, STATE_FILTERS, cellNumbers, cellsOf } from '../../domain/posts/states.js';
import type { PostFilter } from '../../domain/posts/post-query.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { searchConditions } from './search-index.js';
import type { Parameters } from '../sql.js';

const PRIVATE = cellNumbers(STATE_FILTERS.draft_private.cells);
const PRIVATE_LIST = PRIVATE.join(', ');
/** A post that others may see. Literal, so that the partial index of the whole list is seen to fit. */
export const IS_SHARED = `p.cell NOT IN (${PRIVATE_LIST})`;

/**
 * A way to walk to the posts of a filter, in order: `each` is a list whose every item is walked by an index of its
 * own and merged, so that no walk passes over posts that do not match.
 */
export interface Walk {
  /** The posts themselves, or those that words or labels have led to. */
  readonly from: 'post' | 'found';
  /** What is walked one by one: a column, and what gives the values it takes. */
  readonly each: { readonly column: string; readonly values: string } | null;
  readonly conditions: readonly string[];
}

const some = (list: readonly unknown[] | undefined): boolean =>
  list !== undefined && list.length > 0;

/** The conditions of a filter that no walk takes over; those left out, the posts are known to meet. */
function narrowing(
  { types, networks, labelIds, from, to, parentId, query }: PostFilter,
  viewer: Viewer,
  p: Parameters,
): string[] {
  const conditions: string[] = [];
  if (some(types)) conditions.push(`p.type = ANY(${p.add(types, 'post_type[]')})`);
  if (some(networks)) conditions.push(`p.network = ANY(${p.add(networks, 'network[]')})`);
  if (some(labelIds))
    conditions.push(
      `EXISTS (SELECT FROM post_label pl WHERE pl.post_id = p.id AND pl.label_id = ANY(${p.add(labelIds, 'text[]')}))`,
    );
  if (from) conditions.push(`p.sort_at >= ${p.add(from, 'timestamptz')}`);
  if (to) conditions.push(`p.sort_at <= ${p.add(to, 'timestamptz')}`, "p.sort_at > '-infinity'");
  if (parentId !== undefined) conditions.push(`p.parent_id = ${p.add(parentId, 'bigint')}`);
  if (query) {
    const { all, none } = searchConditions(query, viewer.workspace.id, p);
    const itsRow = (wanted: string): string =>
      `EXISTS (SELECT FROM post_search s WHERE s.post_id = p.id AND ${wanted})`;
    if (all.length > 0) conditions.push(itsRow(all.join(' AND ')));
    if (none.length > 0) conditions.push(`NOT ${itsRow(`(${none.join(' OR ')})`)}`);
  }
  return conditions;
}

/** The cells a filter reaches, apart for those that everybody in the workspace sees and the viewer's own private drafts. */
function reach(filter: PostFilter): { shared: number[] | null; own: number[] } {
  const cells = cellsOf(filter.states ?? []);
  if (cells === null) return { shared: null, own: PRIVATE };
  const wanted = cellNumbers(cells);
  return {
    shared: wanted.filter((cell) => !PRIVATE.includes(cell)),
    own: wanted.filter((cell) => PRIVATE.includes(cell)),
  };
}

const SHARED = Object.values(CELLS)
  .map(({ number }) => number)
  .filter((cell) => !PRIVATE.includes(cell));

/** The same, cell by cell where all are reached. */
export function cellsSeen(filter: PostFilter): {
  shared: readonly number[];
  own: readonly number[];
} {
  const { shared, own } = reach(filter);
  return { shared: shared ?? SHARED, own };
}

/** Who sees a post of these cells, as one condition. */
function visible(filter: PostFilter, viewer: Viewer, p: Parameters): string[] {
  const { shared, own } = reach(filter);
  const isOneOf =
    shared === null ? [] : [`p.cell = ANY(${p.add([...shared, ...own], 'smallint[]')})`];
  return own.length === 0
    ? isOneOf
    : [...isOneOf, `(${IS_SHARED} OR p.creator_id = ${p.add(viewer.user.id, 'text')})`];
}

const inWorkspace = (viewer: Viewer, p: Parameters): string =>
  `p.workspace_id = ${p.add(viewer.workspace.id, 'text')}`;

/** All conditions of a filter for this viewer: what facets count, and lists without a better walk read. */
export const conditionsOf = (filter: PostFilter, viewer: Viewer, p: Parameters): string[] => [
  inWorkspace(viewer, p),
  ...anywhere(filter, viewer, p),
];

/** The same, where the workspace is known to be the viewer's. */
function anywhere(filter: PostFilter, viewer: Viewer, p: Parameters): string[] {
  const conditions = [
    'p.deleted_at IS NULL',
    ...visible(filter, viewer, p),
    ...narrowing(filter, viewer, p),
  ];
  if (some(filter.accountIds))
    conditions.push(`p.account_id = ANY(${p.add(filter.accountIds, 'text[]')})`);
  if (filter.memberId !== undefined)
    conditions.push(`p.creator_id = ${p.add(filter.memberId, 'text')}`);
  return conditions;
}

/** The walks of a list in order of `sort_at`; together they pass every visible post of the filter exactly once. */
export function walksOf(filter: PostFilter, viewer: Viewer, p: Parameters): Walk[] {
  if (filter.parentId !== undefined)
    return [{ from: 'post', each: null, conditions: conditionsOf(filter, viewer, p) }];
  if (some(filter.accountIds)) {
    // An account's posts are its workspace's: theirs need not be asked.
    const values = `SELECT a.id FROM account a WHERE a.workspace_id = ${p.add(viewer.workspace.id, 'text')} AND a.id = ANY(${p.add(filter.accountIds, 'text[]')})`;
    return [
      {
        from: 'post',
        each: { column: 'p.account_id', values },
        conditions: anywhere({ ...filter, accountIds: [] }, viewer, p),
      },
    ];
  }
  const { shared, own } = reach(filter);
  const rest = (): string[] => [
    inWorkspace(viewer, p),
    'p.deleted_at IS NULL',
    ...narrowing(filter, viewer, p),
  ];
  const byCell = (cells: readonly number[], more: readonly string[] = []): Walk => ({
    from: 'post',
    each: { column: 'p.cell', values: `SELECT unnest(${p.add(cells, 'smallint[]')})` },
    conditions: [...rest(), ...more],
  });
  const createdBy = (userId: string): string => `p.creator_id = ${p.add(userId, 'text')}`;
  if (filter.memberId !== undefined) {
    const mine = filter.memberId === viewer.user.id ? own : [];
    return [byCell([...(shared ?? SHARED), ...mine], [createdBy(filter.memberId)])];
  }
  const walks: Walk[] = [];
  if (shared === null) walks.push({ from: 'post', each: null, conditions: [...rest(), IS_SHARED] });
  else if (shared.length > 0) walks.push(byCell(shared));
  if (own.length > 0) walks.push(byCell(own, [createdBy(viewer.user.id)]));
  return walks;
}
