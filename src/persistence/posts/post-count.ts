import type { Viewer } from '../../domain/access/viewer.js';
import type { PostFilter, PostListQuery } from '../../domain/posts/post-query.js';
import {
  type IndexScan,
  conditionsOf,
  drivenPostsSql,
  engagedPostsSql,
  filtersByStateOnly,
  indexScansOf,
  visibleStoredStates,
} from './post-filter.js';
import { Parameters, type Statement } from '../sql.js';

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
      drivenPostsSql(filter, viewer, p) ??
        engagedPostsSql(filter, viewer, p) ??
        postsWhere(conditionsOf(filter, viewer, p)),
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
    text: `SELECT series.id::float8 AS series, facets.* FROM unnest(${series}) AS series(id) CROSS JOIN LATERAL (${facets}) facets`,
    values: p.values,
  };
}

/** Whether a filter restricts only what the detailed counts are stored by. */
const hasDetailedCounts = ({
  accountIds: _accountIds,
  networks: _networks,
  types: _types,
  ...others
}: PostFilter): boolean => filtersByStateOnly(others);

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

/**
 * SQL for the stored count of posts by account, network, type and state: the detailed counts, and
 * the changes that are not yet added to them. Posts of all accounts are counted for the empty
 * account ID. Only the conditions of WHERE use the index: with all of them, PostgreSQL would look
 * up each combination of their values.
 */
function detailedCount(filter: PostFilter, viewer: Viewer, p: Parameters): string {
  const { accountIds = [], networks = [], types = [] } = filter;
  const { shared, ownDrafts } = visibleStoredStates(filter);
  const creatorIds = ownDrafts.length > 0 ? ['', viewer.user.id] : [''];
  const isOfAccounts =
    accountIds.length > 0 ? [`c.account_id = ANY(${p.add(accountIds, 'text[]')})`] : [];
  const isCounted = [
    `c.stored_state = ANY(${p.add([...shared, ...ownDrafts], 'smallint[]')})`,
    ...(networks.length > 0 ? [`c.network = ANY(${p.add(networks, 'text[]')})`] : []),
    ...(types.length > 0 ? [`c.type = ANY(${p.add(types, 'post_type[]')})`] : []),
  ].join(' AND ');
  const isVisible = [
    `c.workspace_id = ${p.add(viewer.workspace.id, 'text')}`,
    `c.creator_id = ANY(${p.add(creatorIds, 'text[]')})`,
  ];
  const sum = (table: string, conditions: readonly string[]): string =>
    `SELECT sum(c.posts) FILTER (WHERE ${isCounted}) AS posts FROM ${table} c WHERE ${[...isVisible, ...conditions].join(' AND ')}`;
  const kept = sum(
    'post_count_detail',
    isOfAccounts.length > 0 ? isOfAccounts : ["c.account_id = ''"],
  );
  return `(SELECT COALESCE(sum(kept.posts), 0)::int FROM (${kept} UNION ALL ${sum('post_count_change', isOfAccounts)}) kept)`;
}

/** SQL for the number of posts of an index scan. */
function countScan({ each, conditions }: IndexScan): string {
  const count = (type: string, extraConditions: readonly string[]): string =>
    `SELECT count(*)${type} FROM post p WHERE ${[...extraConditions, ...conditions].join(' AND ')}`;
  if (!each) return `(${count('::int', [])})`;
  return `(SELECT COALESCE(sum(counted.count), 0)::int FROM (${each.values}) AS scan(value) CROSS JOIN LATERAL (${count('', [`${each.column} = scan.value`])}) counted)`;
}

/**
 * SQL for the number of posts of a filter that the viewer can see. With only states, accounts,
 * networks and types, it reads stored counts, whose number does not depend on the number of posts.
 * Otherwise it counts each index scan separately, mostly without reading the table.
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
  if (hasDetailedCounts(filter)) return detailedCount(filter, viewer, p);
  const engaged = engagedPostsSql(filter, viewer, p);
  if (engaged) return `(SELECT count(*)::int FROM (${engaged}) counted)`;
  return indexScansOf(filter, viewer, p).map(countScan).join(' + ');
}
