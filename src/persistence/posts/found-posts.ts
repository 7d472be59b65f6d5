import type { PostFilter } from '../../domain/posts/post-query.js';
import { readSearchQuery } from '../../domain/posts/search-query.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { conditionsOf } from './post-filter.js';
import { searchConditions } from './search-index.js';
import type { Parameters } from '../sql.js';

/** The rows that lead to a filter's posts, and what of the filter they have met. */
interface Lead {
  readonly rows: string;
  readonly rest: PostFilter;
}

/** Words that have to be there first, since they are in few posts; then labels. Null where neither leads to any: what must not be there is in most posts. */
function leadOf(filter: PostFilter, viewer: Viewer, p: Parameters): Lead | null {
  const { query = '', labelIds = [], parentId, ...rest } = filter;
  if (parentId !== undefined) return null; // a series has few children, and an index on them
  if (readSearchQuery(query).all.length > 0) {
    const { all, none } = searchConditions(query, viewer.workspace.id, p);
    const conditions = [...all, ...none.map((condition) => `NOT ${condition}`)];
    return {
      rows: `SELECT s.post_id FROM post_search s WHERE ${conditions.join(' AND ')}`,
      rest: { ...rest, labelIds },
    };
  }
  if (labelIds.length === 0) return null;
  return {
    rows: `SELECT DISTINCT pl.post_id FROM post_label pl WHERE pl.label_id = ANY(${p.add(labelIds, 'text[]')})`,
    rest: { ...rest, query },
  };
}

/**
 * All posts of a filter that words or labels lead to, as a query; null where it asks for neither. Each is looked up by
 * its key, whatever the planner thinks of how many there are (that is what OFFSET 0 is for): it knows no word's
 * frequency when it plans for all words at once, and would else look through the whole workspace for a rare one.
 */
export function foundSql(filter: PostFilter, viewer: Viewer, p: Parameters): string | null {
  const lead = leadOf(filter, viewer, p);
  if (!lead) return null;
  const byKey = 'CROSS JOIN LATERAL (SELECT * FROM post WHERE id = lead.post_id OFFSET 0) p';
  return `SELECT p.id, p.sort_at, p.created_at, p.cell, p.network, p.type FROM (${lead.rows}) lead ${byKey} WHERE ${conditionsOf(lead.rest, viewer, p).join(' AND ')}`;
}
