import type { PostFilter } from '../../domain/posts/post-query.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { cellsSeen, walksOf, type Walk } from './post-filter.js';
import type { Parameters } from '../sql.js';

/** Whether a filter asks for states and nothing else: those numbers are kept, and each state has an index in order. */
export const areStatesAll = ({ states: _states, ...others }: PostFilter): boolean =>
  Object.values(others).every(
    (part) => part === undefined || part === '' || (Array.isArray(part) && part.length === 0),
  );

/** How many posts of these cells the kept counts say there are: private drafts are counted for their creator, all others for nobody. */
function keptCount(
  cells: readonly number[],
  creatorId: string,
  { workspaceId, p }: { workspaceId: string; p: Parameters },
): string {
  const conditions = [
    `k.workspace_id = ${p.add(workspaceId, 'text')}`,
    `k.cell = ANY(${p.add(cells, 'smallint[]')})`,
    `k.creator_id = ${p.add(creatorId, 'text')}`,
  ];
  return `(SELECT COALESCE(sum(k.posts), 0)::int FROM post_count k WHERE ${conditions.join(' AND ')})`;
}

/** The number of posts that a walk passes, item by item. */
function countWalk({ each, conditions }: Walk): string {
  const count = (type: string, more: readonly string[]): string =>
    `SELECT count(*)${type} FROM post p WHERE ${[...more, ...conditions].join(' AND ')}`;
  if (!each) return `(${count('::int', [])})`;
  return `(SELECT COALESCE(sum(one.count), 0)::int FROM (${each.values}) AS walk(value) CROSS JOIN LATERAL (${count('', [`${each.column} = walk.value`])}) one)`;
}

/**
 * The number of posts of a filter that the viewer sees, as an expression. Of states alone it is read off, in the time
 * of a few rows however many posts there are; with anything else in it what the walks pass is counted, each apart: each
 * has an index that need not look at the rows themselves.
 */
export function totalSql(filter: PostFilter, viewer: Viewer, p: Parameters): string {
  if (areStatesAll(filter)) {
    const place = { workspaceId: viewer.workspace.id, p };
    const { shared, own } = cellsSeen(filter);
    return [
      ...(shared.length > 0 ? [keptCount(shared, '', place)] : []),
      ...(own.length > 0 ? [keptCount(own, viewer.user.id, place)] : []),
    ].join(' + ');
  }
  return walksOf(filter, viewer, p).map(countWalk).join(' + ');
}
