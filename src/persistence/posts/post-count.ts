import type { PostFilter } from '../../domain/posts/post-query.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { visibleStoredStates, indexScansOf, type IndexScan } from './post-filter.js';
import type { Parameters } from '../sql.js';

/**
 * Whether a filter restricts nothing but states: these counts are stored, and each state has an
 * index in list order.
 */
export const filtersByStateOnly = ({
  states: _states,
  exactStates: _exactStates,
  ...others
}: PostFilter): boolean =>
  Object.values(others).every(
    (value) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0),
  );

/**
 * SQL for the stored count of posts in these states. Private drafts are counted for their creator,
 * all other posts for the empty creator ID.
 */
function storedCount(
  storedStates: readonly number[],
  creatorId: string,
  { workspaceId, p }: { workspaceId: string; p: Parameters },
): string {
  const conditions = [
    `c.workspace_id = ${p.add(workspaceId, 'text')}`,
    `c.stored_state = ANY(${p.add(storedStates, 'smallint[]')})`,
    `c.creator_id = ${p.add(creatorId, 'text')}`,
  ];
  return `(SELECT COALESCE(sum(c.posts), 0)::int FROM post_count c WHERE ${conditions.join(' AND ')})`;
}

/** SQL for the number of posts of an index scan. */
function countScan({ each, conditions }: IndexScan): string {
  const count = (type: string, extraConditions: readonly string[]): string =>
    `SELECT count(*)${type} FROM post p WHERE ${[...extraConditions, ...conditions].join(' AND ')}`;
  if (!each) return `(${count('::int', [])})`;
  return `(SELECT COALESCE(sum(counted.count), 0)::int FROM (${each.values}) AS scan(value) CROSS JOIN LATERAL (${count('', [`${each.column} = scan.value`])}) counted)`;
}

/**
 * SQL for the number of posts of a filter that the viewer can see. With states only, it reads the
 * stored counts: a few rows, independent of the number of posts. Otherwise it counts each index
 * scan separately, mostly without reading the table.
 */
export function totalSql(filter: PostFilter, viewer: Viewer, p: Parameters): string {
  if (filtersByStateOnly(filter)) {
    const scope = { workspaceId: viewer.workspace.id, p };
    const { shared, ownDrafts } = visibleStoredStates(filter);
    return [
      ...(shared.length > 0 || ownDrafts.length === 0 ? [storedCount(shared, '', scope)] : []),
      ...(ownDrafts.length > 0 ? [storedCount(ownDrafts, viewer.user.id, scope)] : []),
    ].join(' + ');
  }
  return indexScansOf(filter, viewer, p).map(countScan).join(' + ');
}
