import type { PostListQuery, PostOrder, PostPosition, PostSelection } from '../domain/post-query.js';
import type { Viewer } from '../domain/viewer.js';
import { conditionsOf, walksOf, type Walk } from './post-filter.js';
import { selectParts } from './post-parts.js';
import { Parameters } from './sql.js';

interface Statement { readonly text: string; readonly values: readonly unknown[] }

/**
 * A stretch of the order that one index walks: undated posts come last in both directions (D14), so ascending is
 * two stretches, the dated and the undated. `key` is what rows of the stretch are compared by.
 */
interface Stretch { readonly key: string; readonly condition: string | null }

const STRETCHES: Readonly<Record<PostOrder['field'], Readonly<Record<PostOrder['direction'], { stretches: readonly Stretch[]; undated: string }>>>> = {
  scheduled_at: {
    desc: { stretches: [{ key: 'p.sort_at', condition: null }], undated: '-infinity' },
    asc: {
      stretches: [
        { key: 'p.sort_at', condition: "p.sort_at > '-infinity'" },
        { key: "'infinity'::timestamptz", condition: "p.sort_at = '-infinity'" },
      ],
      undated: 'infinity',
    },
  },
  created_at: {
    desc: { stretches: [{ key: 'p.created_at', condition: null }], undated: '-infinity' },
    asc: { stretches: [{ key: 'p.created_at', condition: null }], undated: 'infinity' },
  },
};

/** How many rows are read from where: the keyset window or the page, in the direction of the walk. */
interface Reading { readonly limit: string; readonly offset: string | null; readonly direction: 'ASC' | 'DESC'; readonly bounds: (key: string) => string[] }

function readingOf({ order, slice }: PostListQuery, p: Parameters): Reading {
  const isDescending = order.direction === 'desc';
  if (slice.kind === 'page') {
    const offset = slice.page * slice.perPage;
    return { limit: p.add(slice.perPage, 'bigint'), offset: p.add(offset, 'bigint'), direction: isDescending ? 'DESC' : 'ASC', bounds: () => [] };
  }
  const { undated } = STRETCHES[order.field][order.direction];
  const place = (position: PostPosition | undefined): [string, string] | null =>
    position ? [p.add(position.at ?? undated, 'timestamptz'), p.add(position.id, 'bigint')] : null;
  const [after, before] = [place(slice.after), place(slice.before)];
  const [later, earlier] = isDescending ? ['<', '>'] : ['>', '<'];
  return {
    limit: p.add(slice.limit + 1, 'bigint'), // one more tells whether there is a next page
    offset: null,
    direction: isDescending === slice.fromEnd ? 'ASC' : 'DESC',
    bounds: (key) => [
      ...(after ? [`(${key}, p.id) ${later} (${after.join(', ')})`] : []),
      ...(before ? [`(${key}, p.id) ${earlier} (${before.join(', ')})`] : []),
    ],
  };
}

function walkSql(walk: Walk, stretch: Stretch, reading: Reading, p: Parameters): string {
  const conditions = [...walk.conditions, ...(stretch.condition ? [stretch.condition] : []), ...reading.bounds(stretch.key)];
  const limit = reading.offset ? `${reading.limit} + ${reading.offset}` : reading.limit;
  const one = (more: readonly string[]): string =>
    `SELECT p.id, ${stretch.key} AS key FROM post p WHERE ${[...more, ...conditions].join(' AND ')} ` +
    `ORDER BY key ${reading.direction}, p.id ${reading.direction} LIMIT ${limit}`;
  if (!walk.each) return `(${one([])})`;
  const values = p.add(walk.each.values, `${walk.each.type}[]`);
  return `(SELECT found.* FROM unnest(${values}) AS walk(value) CROSS JOIN LATERAL (${one([`${walk.each.column} = walk.value`])}) found)`;
}

/** The ids of a window or page in order: every walk brings its first rows and they are merged. */
function windowSql(query: PostListQuery, viewer: Viewer, p: Parameters): string {
  const reading = readingOf(query, p);
  const { stretches } = STRETCHES[query.order.field][query.order.direction];
  const walks: Walk[] = query.order.field === 'created_at'
    ? [{ each: null, conditions: conditionsOf(query.filter, viewer, p) }]
    : walksOf(query.filter, viewer, p);
  const parts = walks.flatMap((walk) => stretches.map((stretch) => walkSql(walk, stretch, reading, p)));
  const offset = reading.offset ? ` OFFSET ${reading.offset}` : '';
  return `SELECT id, key FROM (${parts.join(' UNION ALL ')}) merged ORDER BY key ${reading.direction}, id ${reading.direction} LIMIT ${reading.limit}${offset}`;
}

const directionOf = ({ order, slice }: PostListQuery): string =>
  (order.direction === 'desc') === (slice.kind === 'window' && slice.fromEnd) ? 'ASC' : 'DESC';

/** What the walks pass, counted apart: each has an index that need not look at the rows themselves. */
function countSql({ filter }: PostListQuery, viewer: Viewer, p: Parameters): string {
  const counts = walksOf(filter, viewer, p).map(({ each, conditions }) => {
    const bound = each ? [`${each.column} = ANY(${p.add(each.values, `${each.type}[]`)})`] : [];
    return `(SELECT count(*)::int FROM post p WHERE ${[...bound, ...conditions].join(' AND ')})`;
  });
  return counts.join(' + ');
}

/**
 * One statement for a list: the window's ids, the selected parts of each post, and the total where it was selected,
 * of one moment. A row without an id says only the total.
 */
export function listStatement(viewer: Viewer, query: PostListQuery, selection: PostSelection): Statement {
  const p = new Parameters();
  const total = selection.totalCount ? countSql(query, viewer, p) : 'NULL::int';
  if (!selection.items) return { text: `SELECT ${total} AS total`, values: p.values };
  const { columns, join } = selectParts(selection.fields);
  const direction = directionOf(query);
  const text =
    `SELECT totals.total, ${columns} FROM (SELECT ${total} AS total) totals ` +
    `LEFT JOIN (${windowSql(query, viewer, p)}) page ON true LEFT JOIN post p ON p.id = page.id ${join} ` +
    `ORDER BY page.key ${direction}, page.id ${direction}`;
  return { text, values: p.values };
}

/** The same window for each of several series at once: for `occurrences`. */
export function occurrencesStatement(viewer: Viewer, parentIds: readonly number[], query: PostListQuery, selection: PostSelection): Statement {
  const p = new Parameters();
  const series = p.add(parentIds, 'bigint[]');
  const { columns, join } = selectParts(new Set([...selection.fields, 'parentId']));
  const direction = directionOf(query);
  const reading = readingOf(query, p);
  const { stretches } = STRETCHES[query.order.field][query.order.direction];
  const conditions = ['p.parent_id = series.id', ...conditionsOf(query.filter, viewer, p)];
  const counted = selection.totalCount ? `(SELECT count(*)::int FROM post p WHERE ${conditions.join(' AND ')})` : 'NULL::int';
  const parts = stretches.map((stretch) => walkSql({ each: null, conditions }, stretch, reading, p));
  const text =
    `SELECT series.id::int AS series, ${counted} AS total, ${columns} FROM unnest(${series}) AS series(id) ` +
    `LEFT JOIN LATERAL (SELECT id, key FROM (${parts.join(' UNION ALL ')}) merged ORDER BY key ${direction}, id ${direction} LIMIT ${reading.limit}) page ON true ` +
    `LEFT JOIN post p ON p.id = page.id ${join} ORDER BY series.id, page.key ${direction}, page.id ${direction}`;
  return { text, values: p.values };
}

const MOST_COUNTED = 100_000; // beyond it facets are capped and say so: counting on would hold the connection for seconds

/** One statement for all facets: what matches, at most 100,001 of it, counted by cell, network, type and label. */
export function facetsStatement(viewer: Viewer, query: PostListQuery): Statement {
  const p = new Parameters();
  const text =
    `WITH matching AS MATERIALIZED (SELECT p.id, p.cell, p.network, p.type FROM post p WHERE ${conditionsOf(query.filter, viewer, p).join(' AND ')} LIMIT ${MOST_COUNTED + 1}), ` +
    `counted AS (SELECT * FROM matching LIMIT ${MOST_COUNTED}) ` +
    'SELECT (SELECT count(*) FROM matching) <= ' + MOST_COUNTED + ' AS exact, ' +
    '(SELECT json_object_agg(cell, n) FROM (SELECT cell, count(*) AS n FROM counted GROUP BY cell) c) AS cells, ' +
    '(SELECT json_object_agg(network, n) FROM (SELECT network, count(*) AS n FROM counted WHERE network IS NOT NULL GROUP BY network) c) AS networks, ' +
    '(SELECT json_object_agg(type, n) FROM (SELECT type, count(*) AS n FROM counted GROUP BY type) c) AS types, ' +
    "(SELECT json_agg(json_build_object('labelId', l.id, 'name', l.name, 'color', l.color, 'count', c.n)) FROM " +
    '(SELECT pl.label_id, count(*)::int AS n FROM counted JOIN post_label pl ON pl.post_id = counted.id GROUP BY pl.label_id) c JOIN label l ON l.id = c.label_id) AS labels';
  return { text, values: p.values };
}
