import { readSearchQuery, workspaceTokens } from '../product.js';
import { readCursor } from './cursors.js';
import { storedStatesOf, PRIVATE } from './states.js';

export interface ListArguments {
  readonly states?: readonly string[] | null | undefined;
  readonly query?: string | null | undefined;
  readonly after?: string | null | undefined;
}

interface ListSql {
  /** Common start of the window and count statements; may be empty. */
  readonly prelude: string;
  /** Query of the id and sort_at of the posts of the window, in order. */
  readonly window: () => string;
  /** Expression for the number of matching posts. */
  readonly count: () => string;
  /**
   * $1 is the workspace. Window and count add values when they are called: call scanEachState
   * only if needed, and once.
   */
  readonly values: unknown[];
}

/** The words of a query in a workspace, as a tsquery. */
export const wordsOf = (workspace: string, query: string): string =>
  readSearchQuery(query)
    .all.flatMap(({ forms: [words = []] }) => words)
    .map(
      ({ token, isPrefix }) => `'${workspaceTokens(workspace, [token])[0]}'${isPrefix ? ':*' : ''}`,
    )
    .join(' & ');

/** Condition of rows `s` of the search index that have the words of a tsquery. */
export const hasWords = (words: string): string =>
  `array_to_tsvector(s.tokens) @@ ${words}::tsquery`;

const VISIBLE = `stored_state NOT IN (${PRIVATE.join(', ')})`;

/**
 * Hand-written SQL of the list: each branch is an index scan that stops at the limit, and the
 * branches are merged; counts are index-only. `limit` and `offset` must be integers.
 */
export function listSql(
  { workspace, viewer }: { readonly workspace: string; readonly viewer: string },
  { states, query, after }: ListArguments,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): ListSql {
  const values: unknown[] = [workspace];
  const addValue = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const keyset = (): string => {
    const position = readCursor(after);
    return position
      ? ` AND (sort_at, id) < (${addValue(position.at ?? '-infinity', 'timestamptz')}, ${addValue(position.id, 'bigint')})`
      : '';
  };
  const inWorkspace = 'workspace_id = $1 AND deleted_at IS NULL';
  const order = `ORDER BY sort_at DESC, id DESC LIMIT ${limit + offset}`;
  const indexScan = (condition: string): string =>
    `(SELECT id, sort_at FROM post WHERE ${inWorkspace} AND ${condition}${keyset()} ${order})`;
  const scanEachState = (storedStates: string, condition: string): string =>
    `(SELECT rows.* FROM unnest(${storedStates}) AS filter_state(stored_state) CROSS JOIN LATERAL ${indexScan(`post.stored_state = filter_state.stored_state${condition}`)} rows)`;
  const countOf = (condition: string): string =>
    `(SELECT count(*) FROM post WHERE ${inWorkspace} AND ${condition})`;
  const viewerParameter = (): string => addValue(viewer, 'text');
  const merge = (branches: readonly string[]): string =>
    `SELECT id, sort_at FROM (${branches.join(' UNION ALL ')}) merged ORDER BY sort_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`;
  const privateStates = `'{${PRIVATE.join(',')}}'::smallint[]`;
  const storedStates = storedStatesOf(states);

  if (query) {
    // First the posts with the words, whatever their estimated number, then each by its key.
    const prelude =
      `WITH found AS MATERIALIZED (SELECT p.id, p.sort_at FROM post_search s JOIN post p ON p.id = s.post_id WHERE ${hasWords(addValue(wordsOf(workspace, query), 'text'))} ` +
      `AND p.workspace_id = $1 AND p.deleted_at IS NULL AND (p.${VISIBLE} OR p.creator_id = ${viewerParameter()})) `;
    return {
      prelude,
      window: () => `SELECT id, sort_at FROM found WHERE true${keyset()} ${order}`,
      count: () => '(SELECT count(*) FROM found)',
      values,
    };
  }
  if (storedStates) {
    const statesParameter = (): string => addValue(storedStates, 'smallint[]');
    return {
      prelude: '',
      window: () => merge([scanEachState(statesParameter(), '')]),
      count: () => countOf(`stored_state = ANY(${statesParameter()})`),
      values,
    };
  }
  return {
    prelude: '',
    window: () =>
      merge([
        indexScan(VISIBLE),
        scanEachState(privateStates, ` AND creator_id = ${viewerParameter()}`),
      ]),
    count: () =>
      `${countOf(VISIBLE)} + ${countOf(`creator_id = ${viewerParameter()} AND stored_state = ANY(${privateStates})`)}`,
    values,
  };
}
