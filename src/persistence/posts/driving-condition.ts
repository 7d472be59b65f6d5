import type { PostFilter } from '../../domain/posts/post-query.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { rarePublicationSql } from './publication-filter.js';
import { conditionsOf } from './post-filter.js';
import { foundPostsSql, hasRequiredTerm } from '../search/search-conditions.js';
import type { Parameters } from '../sql.js';

/**
 * The condition that a query starts from: SQL for the IDs of its posts, and the rest of the filter.
 */
interface DrivingCondition {
  readonly sql: string;
  readonly remainingFilter: PostFilter;
}

/**
 * Groups drive the query first, since they match the fewest posts, then rare statuses of the
 * publication, required search terms and labels. Null without any of them: excluded terms are
 * absent from most posts.
 */
function drivingConditionOf(
  filter: PostFilter,
  viewer: Viewer,
  p: Parameters,
): DrivingCondition | null {
  const { query = '', labelIds = [], groupIds = [], parentId, ...rest } = filter;
  if (parentId !== undefined) return null; // a series has few occurrences, and an index on them
  if (groupIds.length > 0)
    return {
      sql: `SELECT g.id AS post_id FROM post g WHERE g.group_id = ANY(${p.add(groupIds, 'text[]')})`,
      remainingFilter: { ...filter, groupIds: [] },
    };
  const rarePublication = rarePublicationSql(filter.publication ?? [], viewer, p);
  if (rarePublication) return { sql: rarePublication, remainingFilter: filter };
  if (hasRequiredTerm(query))
    return {
      sql: foundPostsSql(query, viewer.workspace.id, p),
      remainingFilter: { ...rest, labelIds },
    };
  if (labelIds.length === 0) return null;
  return {
    sql: `SELECT DISTINCT pl.post_id FROM post_label pl WHERE pl.label_id = ANY(${p.add(labelIds, 'text[]')})`,
    remainingFilter: { ...rest, query },
  };
}

/**
 * SQL for all posts of a filter that search terms or labels drive; null without either. OFFSET 0
 * forces a lookup of each post by its key: the planner does not know the frequency of a term, since
 * one plan serves all terms, and would otherwise scan the whole workspace for a rare one.
 */
export function drivenPostsSql(filter: PostFilter, viewer: Viewer, p: Parameters): string | null {
  const driving = drivingConditionOf(filter, viewer, p);
  if (!driving) return null;
  const byKey = 'CROSS JOIN LATERAL (SELECT * FROM post WHERE id = driving.post_id OFFSET 0) p';
  return `SELECT p.id, p.sort_at, p.created_at, p.stored_state, p.network, p.type FROM (${driving.sql}) driving ${byKey} WHERE ${conditionsOf(driving.remainingFilter, viewer, p).join(' AND ')}`;
}
