import type { Viewer } from '../../domain/access/viewer.js';
import {
  type PostListQuery,
  type PostOrder,
  type PostPosition,
  type PostSelection,
  SORT_FIELDS,
} from '../../domain/posts/post-query.js';
import {
  type IndexScan,
  conditionsOf,
  drivenPostsSql,
  engagementScanOf,
  filtersByStateOnly,
  indexScansOf,
} from './post-filter.js';
import { totalSql } from './post-count.js';
import { toSelectList } from './post-rows.js';
import { Parameters, type Statement } from '../sql.js';

/**
 * A segment of the order that one index scan covers. Undated posts are last in both directions
 * (D14), so ascending order has two segments: dated and undated posts. `key` is the sort key of the
 * rows; undated rows are sorted by their IDs.
 */
interface Segment {
  readonly key: string;
  readonly condition: string | null;
  readonly isUndated?: true;
  /** The table of the key, and the ID in its index, if it is not that of the posts. */
  readonly joined?: { readonly table: string; readonly id: string };
}

/** By an index of the numbers, which contains the posts with engagement only. */
const BY_ENGAGEMENT: Segment = {
  key: 's.engagement',
  condition: 's.engagement IS NOT NULL',
  joined: { table: 'post_analytics s ON s.post_id = p.id', id: 's.post_id' },
};

const SEGMENTS: Readonly<
  Record<
    PostOrder['field'],
    Readonly<Record<PostOrder['direction'], { segments: readonly Segment[]; undated: string }>>
  >
> = {
  scheduled_at: {
    desc: { segments: [{ key: 'p.sort_at', condition: null }], undated: '-infinity' },
    asc: {
      segments: [
        { key: 'p.sort_at', condition: "p.sort_at > '-infinity'" },
        { key: "'infinity'::timestamptz", condition: "p.sort_at = '-infinity'", isUndated: true },
      ],
      undated: 'infinity',
    },
  },
  created_at: {
    desc: { segments: [{ key: 'p.created_at', condition: null }], undated: '-infinity' },
    asc: { segments: [{ key: 'p.created_at', condition: null }], undated: 'infinity' },
  },
  engagement: {
    desc: { segments: [BY_ENGAGEMENT], undated: '0' },
    asc: { segments: [BY_ENGAGEMENT], undated: '0' },
  },
};

/** PostgreSQL type of the keys of an order. */
const keyTypeOf = (field: PostOrder['field']): string =>
  field === 'engagement' ? 'int' : 'timestamptz';

/** The segments of a query's order, in list order. */
const segmentsOf = ({ order }: PostListQuery): readonly Segment[] =>
  SEGMENTS[order.field][order.direction].segments;

/**
 * The rows to read: a keyset window or a numbered page, in scan direction. `maxRows` is part of the
 * statement's text.
 */
interface Window {
  readonly limit: string;
  readonly offset: string | null;
  readonly maxRows: number;
  readonly direction: 'ASC' | 'DESC';
  readonly bounds: (segment: Segment) => string[];
}

const MIN_ROW_LIMIT = 128; // larger than any window

/**
 * A literal limit for the planner: one plan serves all parameter values, and for a parameterised
 * limit it assumes a tenth of all rows. Grows in factors of four, so that there are few different
 * statements.
 */
const toRowLimit = (rows: number): number => {
  let limit = MIN_ROW_LIMIT;
  while (limit < rows) limit *= 4;
  return limit;
};

/** The window of a query; adds its values to the parameters. */
function windowOf({ order, slice }: PostListQuery, p: Parameters): Window {
  const isDescending = order.direction === 'desc';
  if (slice.kind === 'page') {
    const offset = slice.page * slice.perPage;
    return {
      limit: p.add(slice.perPage, 'bigint'),
      offset: p.add(offset, 'bigint'),
      maxRows: toRowLimit(offset + slice.perPage),
      direction: isDescending ? 'DESC' : 'ASC',
      bounds: () => [],
    };
  }
  const { undated } = SEGMENTS[order.field][order.direction];
  /**
   * Condition for the rows on one side of a position, per segment. It lets the index scan start
   * there, even if all rows of a segment have the same key.
   */
  const boundedBy = (
    position: PostPosition | undefined,
    sign: '<' | '>',
  ): ((segment: Segment) => string[]) => {
    if (!position) return () => [];
    const [at, id] = [
      p.add(position.at ?? undated, keyTypeOf(order.field)),
      p.add(position.id, 'bigint'),
    ];
    return ({ key, isUndated, joined }) => {
      if (!isUndated) return [`(${key}, ${joined?.id ?? 'p.id'}) ${sign} (${at}, ${id})`];
      if (position.at === null) return [`p.id ${sign} ${id}`];
      return sign === '>' ? [] : ['false'];
    };
  };
  const [later, earlier] = isDescending ? (['<', '>'] as const) : (['>', '<'] as const);
  const [after, before] = [boundedBy(slice.after, later), boundedBy(slice.before, earlier)];
  return {
    limit: p.add(slice.limit + 1, 'bigint'), // one more row shows whether there is a next page
    offset: null,
    maxRows: toRowLimit(slice.limit + 1),
    direction: isDescending === slice.fromEnd ? 'ASC' : 'DESC',
    bounds: (segment) => [...after(segment), ...before(segment)],
  };
}

/**
 * SQL for the first rows of a scan, as many as the page may contain, without the first `skipped`
 * rows.
 */
function scanSql(
  scan: IndexScan,
  segment: Segment,
  window: Window,
  skipped: string | null = null,
): string {
  const conditions = [
    ...scan.conditions,
    ...(segment.condition ? [segment.condition] : []),
    ...window.bounds(segment),
  ];
  const limit = window.offset
    ? `${window.limit} + ${window.offset}${skipped ? ` - ${skipped} OFFSET ${skipped}` : ''}`
    : window.limit;
  const from = `${scan.from} p${segment.joined ? ` JOIN ${segment.joined.table}` : ''}`;
  const rows = (extraConditions: readonly string[]): string =>
    `SELECT * FROM (SELECT p.id, ${segment.key} AS key FROM ${from} WHERE ${[...extraConditions, ...conditions].join(' AND ') || 'true'} ` +
    `ORDER BY key ${window.direction}, p.id ${window.direction} LIMIT ${window.maxRows}) first LIMIT ${limit}`;
  if (!scan.each) return `(${rows([])})`;
  return `(SELECT scanned.* FROM (${scan.each.values}) AS scan(value) CROSS JOIN LATERAL (${rows([`${scan.each.column} = scan.value`])}) scanned)`;
}

/** Whether a numbered page comes after many rows. */
const isFarPage = ({ slice }: PostListQuery): boolean =>
  slice.kind === 'page' && slice.page * slice.perPage > MIN_ROW_LIMIT;

/**
 * Number of rows that the first scan can skip before a far page of the whole list, independent of
 * the other scan: all rows before the page except private drafts. The index skips them, so they
 * need not be merged. Null for other lists.
 */
function skippedRows(
  query: PostListQuery,
  viewer: Viewer,
  { offset }: Window,
  p: Parameters,
): string | null {
  const { filter, order } = query;
  const isWholeList =
    filtersByStateOnly(filter) && !filter.states?.length && !filter.exactStates?.length;
  const isNewestFirst = order.field === 'scheduled_at' && order.direction === 'desc';
  if (!isFarPage(query) || !isWholeList || !isNewestFirst) return null;
  return `GREATEST(0, ${offset} - (${totalSql({ states: ['draft_private'] }, viewer, p)}))`;
}

/** SQL for the ordered IDs of a window or page: the first rows of all scans, merged. */
function windowSql(
  query: PostListQuery,
  viewer: Viewer,
  scans: readonly IndexScan[],
  p: Parameters,
): string {
  const window = windowOf(query, p);
  const skipped = skippedRows(query, viewer, window, p);
  const selects = scans.flatMap((scan) =>
    segmentsOf(query).map((segment) =>
      scanSql(scan, segment, window, scan === scans[0] ? skipped : null),
    ),
  );
  const offset = window.offset ? ` OFFSET ${window.offset}${skipped ? ` - ${skipped}` : ''}` : '';
  return `SELECT id, key FROM (${selects.join(' UNION ALL ')}) merged ORDER BY key ${window.direction}, id ${window.direction} LIMIT ${window.limit}${offset}`;
}

const DRIVEN_SCAN: readonly IndexScan[] = [{ from: 'driven', each: null, conditions: [] }];

function scansOf(
  { filter, order }: PostListQuery,
  viewer: Viewer,
  p: Parameters,
): readonly IndexScan[] {
  switch (order.field) {
    case 'scheduled_at':
      return indexScansOf(filter, viewer, p);
    case 'created_at':
      return [{ from: 'post', each: null, conditions: conditionsOf(filter, viewer, p) }];
    case 'engagement':
      return [engagementScanOf(filter, viewer, p)];
  }
}

/**
 * Whether a list may read many more rows than it returns: for a far page, a selective filter or a
 * count.
 */
const isSlow = (query: PostListQuery): boolean =>
  !filtersByStateOnly(query.filter) || query.order.field !== 'scheduled_at' || isFarPage(query);

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
  const { columns, join } = toSelectList(selection.fields, SORT_FIELDS[query.order.field]);
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
  const { columns, join } = toSelectList(selection.fields, SORT_FIELDS[query.order.field]);
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
    `SELECT series.id::float8 AS series, series.total, ${columns} FROM (SELECT series.id, ${total} AS total FROM unnest(${series}) AS series(id) OFFSET 0) series ` +
    `LEFT JOIN LATERAL (SELECT id, key FROM (${scans.join(' UNION ALL ')}) merged ORDER BY key ${direction}, id ${direction} LIMIT ${window.limit}) page ON true ` +
    `LEFT JOIN post p ON p.id = page.id ${join} ORDER BY series.id, page.key ${direction}, page.id ${direction}`;
  return { text, values: p.values, isSlow: true };
}
