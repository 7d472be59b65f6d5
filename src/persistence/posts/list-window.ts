import type { Viewer } from '../../domain/access/viewer.js';
import type { PostListQuery, PostOrder, PostPosition } from '../../domain/posts/post-query.js';
import type { Parameters } from '../sql.js';
import { filtersByStateOnly, totalSql } from './post-count.js';
import type { IndexScan } from './post-filter.js';

/**
 * A segment of the order that one index scan covers. Undated posts are last in both directions
 * (D14), so ascending order has two segments: dated and undated posts. `key` is the sort key of the
 * rows; undated rows are sorted by their IDs.
 */
interface Segment {
  readonly key: string;
  readonly condition: string | null;
  readonly isUndated?: true;
}

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
};

/** The segments of a query's order, in list order. */
export const segmentsOf = ({ order }: PostListQuery): readonly Segment[] =>
  SEGMENTS[order.field][order.direction].segments;

/**
 * The rows to read: a keyset window or a numbered page, in scan direction. `maxRows` is part of the
 * statement's text.
 */
export interface Window {
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
export function windowOf({ order, slice }: PostListQuery, p: Parameters): Window {
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
    const [at, id] = [p.add(position.at ?? undated, 'timestamptz'), p.add(position.id, 'bigint')];
    return ({ key, isUndated }) => {
      if (!isUndated) return [`(${key}, p.id) ${sign} (${at}, ${id})`];
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
export function scanSql(
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
  const rows = (extraConditions: readonly string[]): string =>
    `SELECT * FROM (SELECT p.id, ${segment.key} AS key FROM ${scan.from} p WHERE ${[...extraConditions, ...conditions].join(' AND ') || 'true'} ` +
    `ORDER BY key ${window.direction}, p.id ${window.direction} LIMIT ${window.maxRows}) first LIMIT ${limit}`;
  if (!scan.each) return `(${rows([])})`;
  return `(SELECT scanned.* FROM (${scan.each.values}) AS scan(value) CROSS JOIN LATERAL (${rows([`${scan.each.column} = scan.value`])}) scanned)`;
}

/** Whether a numbered page comes after many rows. */
export const isFarPage = ({ slice }: PostListQuery): boolean =>
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
export function windowSql(
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
