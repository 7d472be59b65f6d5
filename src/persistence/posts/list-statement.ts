import type { Viewer } from '../../domain/access/viewer.js';
import {
  SORT_DATES,
  type PostListQuery,
  type PostSelection,
} from '../../domain/posts/post-query.js';
import { Parameters, type Statement } from '../sql.js';
import { drivenPostsSql } from './driving-condition.js';
import { isFarPage, scanSql, segmentsOf, windowOf, windowSql } from './list-window.js';
import { filtersByStateOnly, totalSql } from './post-count.js';
import { conditionsOf, indexScansOf, type IndexScan } from './post-filter.js';
import { toSelectList } from './post-select-list.js';

const DRIVEN_SCAN: readonly IndexScan[] = [{ from: 'driven', each: null, conditions: [] }];

function scansOf(
  { filter, order }: PostListQuery,
  viewer: Viewer,
  p: Parameters,
): readonly IndexScan[] {
  return order.field === 'created_at'
    ? [{ from: 'post', each: null, conditions: conditionsOf(filter, viewer, p) }]
    : indexScansOf(filter, viewer, p);
}

/**
 * Whether a list may read many more rows than it returns: for a far page, a selective filter or a
 * count.
 */
const isSlow = (query: PostListQuery): boolean =>
  !filtersByStateOnly(query.filter) || query.order.field === 'created_at' || isFarPage(query);

const directionOf = ({ order, slice }: PostListQuery): string =>
  (order.direction === 'desc') === (slice.kind === 'window' && slice.fromEnd) ? 'ASC' : 'DESC';

/**
 * One statement for a list, and therefore one snapshot: the IDs of the window, the selected columns
 * of each post and, if selected, the total. A row without an ID contains only the total.
 */
export function listStatement(
  viewer: Viewer,
  query: PostListQuery,
  selection: PostSelection,
): Statement {
  const p = new Parameters();
  const drivenPosts = drivenPostsSql(query.filter, viewer, p);
  const prelude = drivenPosts ? `WITH driven AS MATERIALIZED (${drivenPosts}) ` : '';
  const count = (): string =>
    drivenPosts ? '(SELECT count(*)::int FROM driven)' : totalSql(query.filter, viewer, p);
  const total = selection.totalCount ? count() : 'NULL::int';
  if (!selection.items)
    return { text: `${prelude}SELECT ${total} AS total`, values: p.values, isSlow: isSlow(query) };
  const { columns, join } = toSelectList(selection.fields, SORT_DATES[query.order.field]);
  const direction = directionOf(query);
  const scans = drivenPosts ? DRIVEN_SCAN : scansOf(query, viewer, p);
  const text =
    `${prelude}SELECT totals.total, ${columns} FROM (SELECT ${total} AS total) totals ` +
    `LEFT JOIN (${windowSql(query, viewer, scans, p)}) page ON true LEFT JOIN post p ON p.id = page.id ${join} ` +
    `ORDER BY page.key ${direction}, page.id ${direction}`;
  return { text, values: p.values, isSlow: isSlow(query) };
}

/** One statement for the same window of the occurrences of several series. */
export function occurrencesStatement(
  viewer: Viewer,
  parentIds: readonly number[],
  query: PostListQuery,
  selection: PostSelection,
): Statement {
  const p = new Parameters();
  const series = p.add(parentIds, 'bigint[]');
  const { columns, join } = toSelectList(selection.fields, SORT_DATES[query.order.field]);
  const direction = directionOf(query);
  const window = windowOf(query, p);
  const conditions = ['p.parent_id = series.id', ...conditionsOf(query.filter, viewer, p)];
  const total = selection.totalCount
    ? `(SELECT count(*)::int FROM post p WHERE ${conditions.join(' AND ')})`
    : 'NULL::int';
  const scans = segmentsOf(query).map((segment) =>
    scanSql({ from: 'post', each: null, conditions }, segment, window),
  );
  const text =
    `SELECT series.id::int AS series, series.total, ${columns} FROM (SELECT series.id, ${total} AS total FROM unnest(${series}) AS series(id) OFFSET 0) series ` +
    `LEFT JOIN LATERAL (SELECT id, key FROM (${scans.join(' UNION ALL ')}) merged ORDER BY key ${direction}, id ${direction} LIMIT ${window.limit}) page ON true ` +
    `LEFT JOIN post p ON p.id = page.id ${join} ORDER BY series.id, page.key ${direction}, page.id ${direction}`;
  return { text, values: p.values, isSlow: true };
}
