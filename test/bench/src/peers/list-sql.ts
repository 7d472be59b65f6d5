import { readSearchQuery, workspaceTokens } from '../product.js';
import { readCursor } from './cursors.js';
import { cellsOf, PRIVATE } from './states.js';

export interface ListArguments {
  readonly states?: readonly string[] | null | undefined;
  readonly query?: string | null | undefined;
  readonly after?: string | null | undefined;
}

interface ListSql {
  /** The ids of the window in order, a query of id and sort_at. */
  readonly window: () => string;
  /** The number of all that match. */
  readonly count: () => string;
  /** $1 is the workspace; window and count add their own, so each is called where it is wanted alone, and once. */
  readonly values: unknown[];
}

/** The words of a query as the index has them in a workspace. */
export const tokensOf = (workspace: string, query: string): string[] => workspaceTokens(workspace, readSearchQuery(query).all.flatMap((term) => term.tokens));

const VISIBLE = `cell NOT IN (${PRIVATE.join(', ')})`;

/**
 * The list as one who knows the tables writes it by hand: each branch an index walk that ends at the limit, merged; the
 * counts index-only. `limit` and `offset` are whole numbers.
 */
export function listSql(workspace: string, viewer: string, { states, query, after }: ListArguments, limit: number, offset = 0): ListSql {
  const values: unknown[] = [workspace];
  const add = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const keyset = (): string => {
    const place = readCursor(after);
    return place ? ` AND (sort_at, id) < (${add(place.at ?? '-infinity', 'timestamptz')}, ${add(place.id, 'bigint')})` : '';
  };
  const base = 'workspace_id = $1 AND deleted_at IS NULL';
  const order = `ORDER BY sort_at DESC, id DESC LIMIT ${limit + offset}`;
  const walk = (condition: string): string => `(SELECT id, sort_at FROM post WHERE ${base} AND ${condition}${keyset()} ${order})`;
  const each = (cells: string, more: string): string =>
    `(SELECT one.* FROM unnest(${cells}) AS wanted(cell) CROSS JOIN LATERAL ${walk(`post.cell = wanted.cell${more}`)} one)`;
  const counted = (condition: string): string => `(SELECT count(*) FROM post WHERE ${base} AND ${condition})`;
  const me = (): string => add(viewer, 'text');
  const merged = (branches: readonly string[]): string => `SELECT id, sort_at FROM (${branches.join(' UNION ALL ')}) merged ORDER BY sort_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`;
  const own = `'{${PRIVATE.join(',')}}'::smallint[]`;
  const cells = cellsOf(states);

  if (query) {
    const found = (): string => `(${VISIBLE} OR creator_id = ${me()}) AND id IN (SELECT post_id FROM post_search WHERE tokens @> ${add(tokensOf(workspace, query), 'text[]')})`;
    return { window: () => merged([walk(found())]), count: () => counted(found()), values };
  }
  if (cells) {
    const wanted = (): string => add(cells, 'smallint[]');
    return { window: () => merged([each(wanted(), '')]), count: () => counted(`cell = ANY(${wanted()})`), values };
  }
  return {
    window: () => merged([walk(VISIBLE), each(own, ` AND creator_id = ${me()}`)]),
    count: () => `${counted(VISIBLE)} + ${counted(`creator_id = ${me()} AND cell = ANY(${own})`)}`,
    values,
  };
}
