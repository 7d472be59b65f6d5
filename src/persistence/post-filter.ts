import { readSearchQuery, type SearchTerm } from '../domain/search-query.js';
import { CELLS, STATE_FILTERS, cellNumbers, cellsOf } from '../domain/states.js';
import type { PostFilter } from '../domain/post-query.js';
import type { Viewer } from '../domain/viewer.js';
import { workspaceTokens } from './search-index.js';
import type { Parameters } from './sql.js';

const PRIVATE = cellNumbers(STATE_FILTERS.draft_private.cells);
const PRIVATE_LIST = PRIVATE.join(', ');
/** A post that others may see. Literal, so that the partial index of the whole list is seen to fit. */
export const IS_SHARED = `p.cell NOT IN (${PRIVATE_LIST})`;

/**
 * A way to walk to the posts of a filter, in order: `each` is a list whose every item is walked by an index of its
 * own and merged, so that no walk passes over posts that do not match.
 */
export interface Walk {
  /** What is walked one by one: a column and the values it takes. */
  readonly each: { readonly column: string; readonly values: readonly unknown[]; readonly type: string } | null;
  readonly conditions: readonly string[];
}

/** The conditions of a filter that no walk takes over. */
function narrowing(filter: PostFilter, viewer: Viewer, p: Parameters): string[] {
  const conditions: string[] = [];
  const some = <T>(list: readonly T[] | undefined): readonly T[] | null => (list && list.length > 0 ? list : null);
  const types = some(filter.types);
  const networks = some(filter.networks);
  const labels = some(filter.labelIds);
  if (types) conditions.push(`p.type = ANY(${p.add(types, 'post_type[]')})`);
  if (networks) conditions.push(`p.network = ANY(${p.add(networks, 'network[]')})`);
  if (labels) conditions.push(`p.id IN (SELECT pl.post_id FROM post_label pl WHERE pl.label_id = ANY(${p.add(labels, 'text[]')}))`);
  if (filter.from) conditions.push(`p.sort_at >= ${p.add(filter.from, 'timestamptz')}`);
  if (filter.to) conditions.push(`p.sort_at <= ${p.add(filter.to, 'timestamptz')}`, "p.sort_at > '-infinity'");
  if (filter.parentId !== undefined) conditions.push(`p.parent_id = ${p.add(filter.parentId, 'bigint')}`);
  if (filter.query) conditions.push(...searching(filter.query, viewer, p));
  return conditions;
}

/** D16 in SQL; domain/search-query.ts has the same in memory, and a property test holds the two together. */
function searching(query: string, viewer: Viewer, p: Parameters): string[] {
  const { all, none } = readSearchQuery(query);
  const holds = (term: SearchTerm): string => {
    const tokens = `s.tokens @> ${p.add(workspaceTokens(viewer.workspace.id, term.tokens), 'text[]')}`;
    return term.pattern === null ? tokens : `(${tokens} AND position(${p.add(term.pattern, 'text')} IN s.normal) > 0)`;
  };
  if (all.length + none.length === 0) return [];
  const conditions = [...all.map(holds), ...none.map((term) => `NOT ${holds(term)}`)];
  return [`p.id IN (SELECT s.post_id FROM post_search s WHERE ${conditions.join(' AND ')})`];
}

/** The cells a filter reaches, apart for those that everybody in the workspace sees and the viewer's own private drafts. */
function reach(filter: PostFilter): { shared: number[] | null; own: number[] } {
  const cells = cellsOf(filter.states ?? []);
  if (cells === null) return { shared: null, own: PRIVATE };
  const wanted = cellNumbers(cells);
  return { shared: wanted.filter((cell) => !PRIVATE.includes(cell)), own: wanted.filter((cell) => PRIVATE.includes(cell)) };
}

/** Who sees a post of these cells, as one condition. */
function visible(filter: PostFilter, viewer: Viewer, p: Parameters): string[] {
  const { shared, own } = reach(filter);
  const isOneOf = shared === null ? [] : [`p.cell = ANY(${p.add([...shared, ...own], 'smallint[]')})`];
  return own.length === 0 ? isOneOf : [...isOneOf, `(${IS_SHARED} OR p.creator_id = ${p.add(viewer.user.id, 'text')})`];
}

const inWorkspace = (viewer: Viewer, p: Parameters): string[] => [`p.workspace_id = ${p.add(viewer.workspace.id, 'text')}`, 'p.deleted_at IS NULL'];

/** All conditions of a filter for this viewer: what facets count, and lists without a better walk read. */
export function conditionsOf(filter: PostFilter, viewer: Viewer, p: Parameters): string[] {
  const conditions = [...inWorkspace(viewer, p), ...visible(filter, viewer, p), ...narrowing(filter, viewer, p)];
  if (filter.accountIds && filter.accountIds.length > 0) conditions.push(`p.account_id = ANY(${p.add(filter.accountIds, 'text[]')})`);
  if (filter.memberId !== undefined) conditions.push(`p.creator_id = ${p.add(filter.memberId, 'text')}`);
  return conditions;
}

const isSearching = ({ query, labelIds, parentId }: PostFilter): boolean =>
  Boolean(query) || (labelIds?.length ?? 0) > 0 || parentId !== undefined;

/** The walks of a list in order of `sort_at`; together they pass every visible post of the filter exactly once. */
export function walksOf(filter: PostFilter, viewer: Viewer, p: Parameters): Walk[] {
  const accounts = filter.accountIds?.length ? [...new Set(filter.accountIds)] : null;
  if (isSearching(filter)) return [{ each: null, conditions: conditionsOf(filter, viewer, p) }];
  if (accounts) {
    const conditions = conditionsOf({ ...filter, accountIds: [] }, viewer, p);
    return [{ each: { column: 'p.account_id', values: accounts, type: 'text' }, conditions }];
  }
  const { shared, own } = reach(filter);
  const rest = (): string[] => [...inWorkspace(viewer, p), ...narrowing(filter, viewer, p)];
  const byCell = (cells: readonly number[], more: readonly string[] = []): Walk => ({
    each: { column: 'p.cell', values: cells, type: 'smallint' },
    conditions: [...rest(), ...more],
  });
  const createdBy = (userId: string): string => `p.creator_id = ${p.add(userId, 'text')}`;
  if (filter.memberId !== undefined) {
    const mine = filter.memberId === viewer.user.id ? own : [];
    const everyShared = Object.values(CELLS).map((cell) => cell.number).filter((cell) => !PRIVATE.includes(cell));
    return [byCell([...(shared ?? everyShared), ...mine], [createdBy(filter.memberId)])];
  }
  const walks: Walk[] = [];
  if (shared === null) walks.push({ each: null, conditions: [...rest(), IS_SHARED] });
  else if (shared.length > 0) walks.push(byCell(shared));
  if (own.length > 0) walks.push(byCell(own, [createdBy(viewer.user.id)]));
  return walks;
}
