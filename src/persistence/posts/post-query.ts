import type {
  PostListQuery,
  PostOrder,
  PostPosition,
  PostSelection,
} from '../../domain/posts/post-query.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { foundSql } from './found-posts.js';
import { conditionsOf, walksOf, type Walk } from './post-filter.js';
import { areStatesAll, totalSql } from './post-count.js';
import { selectParts } from './post-parts.js';
import { Parameters, type Statement } from '../sql.js';

/**
 * A stretch of the order that one index walks: undated posts come last in both directions (D14), so ascending is
 * two stretches, the dated and the undated. `key` is what rows of the stretch are sorted by; undated ones are by their ids.
 */
interface Stretch {
  readonly key: string;
  readonly condition: string | null;
  readonly isUndated?: true;
}

const STRETCHES: Readonly<
  Record<
    PostOrder['field'],
    Readonly<Record<PostOrder['direction'], { stretches: readonly Stretch[]; undated: string }>>
  >
> = {
  scheduled_at: {
    desc: { stretches: [{ key: 'p.sort_at', condition: null }], undated: '-infinity' },
    asc: {
      stretches: [
        { key: 'p.sort_at', condition: "p.sort_at > '-infinity'" },
        { key: "'infinity'::timestamptz", condition: "p.sort_at = '-infinity'", isUndated: true },
      ],
      undated: 'infinity',
    },
  },
  created_at: {
    desc: { stretches: [{ key: 'p.created_at', condition: null }], undated: '-infinity' },
    asc: { stretches: [{ key: 'p.created_at', condition: null }], undated: 'infinity' },
  },
};

/** How many rows are read from where: the keyset window or the page, in the direction of the walk. `most` is in the statement's text. */
interface Reading {
  readonly limit: string;
  readonly offset: string | null;
  readonly most: number;
  readonly direction: 'ASC' | 'DESC';
  readonly bounds: (stretch: Stretch) => string[];
}

const FEWEST = 128; // more than a window has

/**
 * A limit that the planner sees: one plan serves all values, and of a limit among those it would think that a tenth of
 * all rows is meant. Four times as many each, so that statements stay few.
 */
const atMost = (rows: number): number => {
  let most = FEWEST;
  while (most < rows) most *= 4;
  return most;
};

function readingOf({ order, slice }: PostListQuery, p: Parameters): Reading {
  const isDescending = order.direction === 'desc';
  if (slice.kind === 'page') {
    const offset = slice.page * slice.perPage;
    return {
      limit: p.add(slice.perPage, 'bigint'),
      offset: p.add(offset, 'bigint'),
      most: atMost(offset + slice.perPage),
      direction: isDescending ? 'DESC' : 'ASC',
      bounds: () => [],
    };
  }
  const { undated } = STRETCHES[order.field][order.direction];
  /** What is on one side of a place, stretch by stretch: the index is entered there, also where all of a stretch have one key. */
  const beside = (
    position: PostPosition | undefined,
    sign: '<' | '>',
  ): ((stretch: Stretch) => string[]) => {
    if (!position) return () => [];
    const [at, id] = [p.add(position.at ?? undated, 'timestamptz'), p.add(position.id, 'bigint')];
    return ({ key, isUndated }) => {
      if (!isUndated) return [`(${key}, p.id) ${sign} (${at}, ${id})`];
      if (position.at === null) return [`p.id ${sign} ${id}`];
      return sign === '>' ? [] : ['false'];
    };
  };
  const [later, earlier] = isDescending ? (['<', '>'] as const) : (['>', '<'] as const);
  const [after, before] = [beside(slice.after, later), beside(slice.before, earlier)];
  return {
    limit: p.add(slice.limit + 1, 'bigint'), // one more tells whether there is a next page
    offset: null,
    most: atMost(slice.limit + 1),
    direction: isDescending === slice.fromEnd ? 'ASC' : 'DESC',
    bounds: (stretch) => [...after(stretch), ...before(stretch)],
  };
}

/** The first rows of a walk, as many as may be on the page; `passed`: but for so many that are before it. */
function walkSql(
  walk: Walk,
  stretch: Stretch,
  reading: Reading,
  passed: string | null = null,
): string {
  const conditions = [
    ...walk.conditions,
    ...(stretch.condition ? [stretch.condition] : []),
    ...reading.bounds(stretch),
  ];
  const limit = reading.offset
    ? `${reading.limit} + ${reading.offset}${passed ? ` - ${passed} OFFSET ${passed}` : ''}`
    : reading.limit;
  const one = (more: readonly string[]): string =>
    `SELECT * FROM (SELECT p.id, ${stretch.key} AS key FROM ${walk.from} p WHERE ${[...more, ...conditions].join(' AND ') || 'true'} ` +
    `ORDER BY key ${reading.direction}, p.id ${reading.direction} LIMIT ${reading.most}) first LIMIT ${limit}`;
  if (!walk.each) return `(${one([])})`;
  return `(SELECT one.* FROM (${walk.each.values}) AS walk(value) CROSS JOIN LATERAL (${one([`${walk.each.column} = walk.value`])}) one)`;
}

const FOUND: readonly Walk[] = [{ from: 'found', each: null, conditions: [] }];

function walksIn({ filter, order }: PostListQuery, viewer: Viewer, p: Parameters): readonly Walk[] {
  return order.field === 'created_at'
    ? [{ from: 'post', each: null, conditions: conditionsOf(filter, viewer, p) }]
    : walksOf(filter, viewer, p);
}

/** Whether a page is behind many rows. */
const isFar = ({ slice }: PostListQuery): boolean =>
  slice.kind === 'page' && slice.page * slice.perPage > FEWEST;

/**
 * How many posts of the first walk are before a far page of the whole list, whatever the other brings: all that is before
 * it, less the private drafts. An index passes over them, and they need not be merged. Null of other lists.
 */
function passedBefore(
  query: PostListQuery,
  viewer: Viewer,
  { offset }: Reading,
  p: Parameters,
): string | null {
  const { filter, order } = query;
  const isWhole = areStatesAll(filter) && (filter.states ?? []).length === 0;
  if (!isFar(query) || !isWhole || order.field !== 'scheduled_at' || order.direction !== 'desc')
    return null;
  return `GREATEST(0, ${offset} - (${totalSql({ states: ['draft_private'] }, viewer, p)}))`;
}

/** The ids of a window or page in order: every walk brings its first rows and they are merged. */
function windowSql(
  query: PostListQuery,
  viewer: Viewer,
  walks: readonly Walk[],
  p: Parameters,
): string {
  const reading = readingOf(query, p);
  const { stretches } = STRETCHES[query.order.field][query.order.direction];
  const passed = passedBefore(query, viewer, reading, p);
  const parts = walks.flatMap((walk) =>
    stretches.map((stretch) => walkSql(walk, stretch, reading, walk === walks[0] ? passed : null)),
  );
  const offset = reading.offset ? ` OFFSET ${reading.offset}${passed ? ` - ${passed}` : ''}` : '';
  return `SELECT id, key FROM (${parts.join(' UNION ALL ')}) merged ORDER BY key ${reading.direction}, id ${reading.direction} LIMIT ${reading.limit}${offset}`;
}

/** Whether a list may pass many more rows than it shows: to a far page, to the few that a filter leaves, or to count them. */
const isLong = (query: PostListQuery): boolean =>
  !areStatesAll(query.filter) || query.order.field === 'created_at' || isFar(query);

const directionOf = ({ order, slice }: PostListQuery): string =>
  (order.direction === 'desc') === (slice.kind === 'window' && slice.fromEnd) ? 'ASC' : 'DESC';

/**
 * One statement for a list: the window's ids, the selected parts of each post, and the total where it was selected,
 * of one moment. A row without an id says only the total.
 */
export function listStatement(
  viewer: Viewer,
  query: PostListQuery,
  selection: PostSelection,
): Statement {
  const p = new Parameters();
  const found = foundSql(query.filter, viewer, p);
  const prelude = found ? `WITH found AS MATERIALIZED (${found}) ` : '';
  const counted = (): string =>
    found ? '(SELECT count(*)::int FROM found)' : totalSql(query.filter, viewer, p);
  const total = selection.totalCount ? counted() : 'NULL::int';
  if (!selection.items)
    return { text: `${prelude}SELECT ${total} AS total`, values: p.values, isLong: isLong(query) };
  const { columns, join } = selectParts(selection.fields);
  const direction = directionOf(query);
  const walks = found ? FOUND : walksIn(query, viewer, p);
  const text =
    `${prelude}SELECT totals.total, ${columns} FROM (SELECT ${total} AS total) totals ` +
    `LEFT JOIN (${windowSql(query, viewer, walks, p)}) page ON true LEFT JOIN post p ON p.id = page.id ${join} ` +
    `ORDER BY page.key ${direction}, page.id ${direction}`;
  return { text, values: p.values, isLong: isLong(query) };
}

/** The same window for each of several series at once: for `occurrences`. */
export function occurrencesStatement(
  viewer: Viewer,
  parentIds: readonly number[],
  query: PostListQuery,
  selection: PostSelection,
): Statement {
  const p = new Parameters();
  const series = p.add(parentIds, 'bigint[]');
  const { columns, join } = selectParts(selection.fields);
  const direction = directionOf(query);
  const reading = readingOf(query, p);
  const { stretches } = STRETCHES[query.order.field][query.order.direction];
  const conditions = ['p.parent_id = series.id', ...conditionsOf(query.filter, viewer, p)];
  const counted = selection.totalCount
    ? `(SELECT count(*)::int FROM post p WHERE ${conditions.join(' AND ')})`
    : 'NULL::int';
  const parts = stretches.map((stretch) =>
    walkSql({ from: 'post', each: null, conditions }, stretch, reading),
  );
  const text =
    `SELECT series.id::int AS series, series.total, ${columns} FROM (SELECT series.id, ${counted} AS total FROM unnest(${series}) AS series(id) OFFSET 0) series ` +
    `LEFT JOIN LATERAL (SELECT id, key FROM (${parts.join(' UNION ALL ')}) merged ORDER BY key ${direction}, id ${direction} LIMIT ${reading.limit}) page ON true ` +
    `LEFT JOIN post p ON p.id = page.id ${join} ORDER BY series.id, page.key ${direction}, page.id ${direction}`;
  return { text, values: p.values, isLong: true };
}

const MOST_COUNTED = 100_000; // beyond it facets are capped and say so: counting on would hold the connection for seconds

/** All facets of what a query gives, at most 100,001 of it, counted by cell, network, type and label. */
function facetsSql(matching: string): string {
  return (
    `WITH matching AS MATERIALIZED (${matching} LIMIT ${MOST_COUNTED + 1}), ` +
    `counted AS (SELECT * FROM matching LIMIT ${MOST_COUNTED}) ` +
    'SELECT (SELECT count(*) FROM matching) <= ' +
    MOST_COUNTED +
    ' AS exact, ' +
    '(SELECT json_object_agg(cell, n) FROM (SELECT cell, count(*) AS n FROM counted GROUP BY cell) c) AS cells, ' +
    '(SELECT json_object_agg(network, n) FROM (SELECT network, count(*) AS n FROM counted WHERE network IS NOT NULL GROUP BY network) c) AS networks, ' +
    '(SELECT json_object_agg(type, n) FROM (SELECT type, count(*) AS n FROM counted GROUP BY type) c) AS types, ' +
    "(SELECT json_agg(json_build_object('labelId', l.id, 'name', l.name, 'color', l.color, 'count', c.n)) FROM " +
    '(SELECT pl.label_id, count(*)::int AS n FROM counted JOIN post_label pl ON pl.post_id = counted.id GROUP BY pl.label_id) c JOIN label l ON l.id = c.label_id) AS labels'
  );
}

const postsWhere = (conditions: readonly string[]): string =>
  `SELECT p.id, p.cell, p.network, p.type FROM post p WHERE ${conditions.join(' AND ')}`;

/** One statement for all facets of a list. */
export function facetsStatement(viewer: Viewer, { filter }: PostListQuery): Statement {
  const p = new Parameters();
  return {
    text: facetsSql(foundSql(filter, viewer, p) ?? postsWhere(conditionsOf(filter, viewer, p))),
    values: p.values,
  };
}

/** The same for the children of each of several series at once. */
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
