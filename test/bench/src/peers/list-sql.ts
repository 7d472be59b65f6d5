import { readSearchQuery, workspaceTokens } from '../product.js';
import { readCursor } from './cursors.js';
import { cellsOf, PRIVATE } from './states.js';

export interface ListArguments {
  readonly states?: readonly string[] | null | undefined;
  readonly query?: string | null | undefined;
  readonly after?: string | null | undefined;
}

interface ListSql {
  /** What the statement begins with, for window and count together; empty where they need nothing in common. */
  readonly prelude: string;
  /** The ids of the window in order, a query of id and sort_at. */
  readonly window: () => string;
  /** The number of all that match. */
  readonly count: () => string;
  /** $1 is the workspace; window and count add their own, so each is called where it is wanted alone, and once. */
  readonly values: unknown[];
}

/** The words of a query as the index has them in a workspace. */
export const tokensOf = (workspace: string, query: string): string[] =>
  workspaceTokens(
    workspace,
    readSearchQuery(query).all.flatMap((term) => term.tokens),
  );

const VISIBLE = `cell NOT IN (${PRIVATE.join(', ')})`;

/**
 * The list as one who knows the tables writes it by hand: each branch an index walk that ends at the limit, merged; the
 * counts index-only. `limit` and `offset` are whole numbers.
 */
export function listSql(
  workspace: string,
  viewer: string,
  { states, query, after }: ListArguments,
  limit: number,
  offset = 0,
): ListSql {
  const values: unknown[] = [workspace];
  const add = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const keyset = (): string => {
    const place = readCursor(after);
    return place
      ? ` AND (sort_at, id) < (${add(place.at ?? '-infinity', 'timestamptz')}, ${add(place.id, 'bigint')})`
      : '';
  };
  const base = 'workspace_id = $1 AND deleted_at IS NULL';
  const order = `ORDER BY sort_at DESC, id DESC LIMIT ${limit + offset}`;
  const walk = (condition: string): string =>
    `(SELECT id, sort_at FROM post WHERE ${base} AND ${condition}${keyset()} ${order})`;
  const each = (cells: string, more: string): string =>
    `(SELECT one.* FROM unnest(${cells}) AS wanted(cell) CROSS JOIN LATERAL ${walk(`post.cell = wanted.cell${more}`)} one)`;
  const counted = (condition: string): string =>
    `(SELECT count(*) FROM post WHERE ${base} AND ${condition})`;
  const me = (): string => add(viewer, 'text');
  const merged = (branches: readonly string[]): string =>
    `SELECT id, sort_at FROM (${branches.join(' UNION ALL ')}) merged ORDER BY sort_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`;
  const own = `'{${PRIVATE.join(',')}}'::smallint[]`;
  const cells = cellsOf(states);

  if (query) {
    // The words' posts first, whatever the planner thinks of how many there are: then each by its key.
    const prelude =
      `WITH found AS MATERIALIZED (SELECT p.id, p.sort_at FROM post_search s JOIN post p ON p.id = s.post_id WHERE s.tokens @> ${add(tokensOf(workspace, query), 'text[]')} ` +
      `AND p.workspace_id = $1 AND p.deleted_at IS NULL AND (p.${VISIBLE} OR p.creator_id = ${me()})) `;
    return {
      prelude,
      window: () => `SELECT id, sort_at FROM found WHERE true${keyset()} ${order}`,
      count: () => '(SELECT count(*) FROM found)',
      values,
    };
  }
  if (cells) {
    const wanted = (): string => add(cells, 'smallint[]');
    return {
      prelude: '',
      window: () => merged([each(wanted(), '')]),
      count: () => counted(`cell = ANY(${wanted()})`),
      values,
    };
  }
  return {
    prelude: '',
    window: () => merged([walk(VISIBLE), each(own, ` AND creator_id = ${me()}`)]),
    count: () => `${counted(VISIBLE)} + ${counted(`creator_id = ${me()} AND cell = ANY(${own})`)}`,
    values,
  };
}
