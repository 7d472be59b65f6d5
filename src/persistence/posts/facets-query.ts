import type { Viewer } from '../../domain/access/viewer.js';
import type { PostListQuery } from '../../domain/posts/post-query.js';
import { Parameters, type Statement } from '../sql.js';
import { drivenPostsSql } from './driving-condition.js';
import { conditionsOf } from './post-filter.js';

// beyond it, facets are capped and marked as inexact: exact counts would hold the connection for
// seconds
const MAX_COUNTED = 100_000;

/**
 * SQL for all facets of the matching posts, of which it reads at most 100,001: counts by stored
 * state, network, type and label.
 */
function facetsSql(matching: string): string {
  return (
    `WITH matching AS MATERIALIZED (${matching} LIMIT ${MAX_COUNTED + 1}), ` +
    `counted AS (SELECT * FROM matching LIMIT ${MAX_COUNTED}) ` +
    'SELECT (SELECT count(*) FROM matching) <= ' +
    MAX_COUNTED +
    ' AS exact, ' +
    '(SELECT json_object_agg(stored_state, n) FROM (SELECT stored_state, count(*) AS n FROM counted GROUP BY stored_state) c) AS "storedStates", ' +
    '(SELECT json_object_agg(network, n) FROM (SELECT network, count(*) AS n FROM counted WHERE network IS NOT NULL GROUP BY network) c) AS networks, ' +
    '(SELECT json_object_agg(type, n) FROM (SELECT type, count(*) AS n FROM counted GROUP BY type) c) AS types, ' +
    "(SELECT json_agg(json_build_object('labelId', l.id, 'name', l.name, 'color', l.color, 'count', c.n)) FROM " +
    '(SELECT pl.label_id, count(*)::int AS n FROM counted JOIN post_label pl ON pl.post_id = counted.id GROUP BY pl.label_id) c JOIN label l ON l.id = c.label_id) AS labels'
  );
}

const postsWhere = (conditions: readonly string[]): string =>
  `SELECT p.id, p.stored_state, p.network, p.type FROM post p WHERE ${conditions.join(' AND ')}`;

/** One statement for all facets of a list. */
export function facetsStatement(viewer: Viewer, { filter }: PostListQuery): Statement {
  const p = new Parameters();
  return {
    text: facetsSql(
      drivenPostsSql(filter, viewer, p) ?? postsWhere(conditionsOf(filter, viewer, p)),
    ),
    values: p.values,
  };
}

/** One statement for the facets of the occurrences of several series. */
export function occurrenceFacetsStatement(
  viewer: Viewer,
  parentIds: readonly number[],
  { filter }: PostListQuery,
): Statement {
  const p = new Parameters();
  const series = p.add(parentIds, 'bigint[]');
  const facets = facetsSql(
    postsWhere(['p.parent_id = series.id', ...conditionsOf(filter, viewer, p)]),
  );
  return {
    text: `SELECT series.id::int AS series, facets.* FROM unnest(${series}) AS series(id) CROSS JOIN LATERAL (${facets}) facets`,
    values: p.values,
  };
}
