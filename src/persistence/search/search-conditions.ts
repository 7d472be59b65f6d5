import { readSearchQuery, type Lexeme, type SearchTerm } from '../../domain/search/search-query.js';
import type { Parameters } from '../sql.js';
import { isCurrent, isOutdated, outdatedOrder, workspaceTokens } from './search-index.js';

/** Whether a search can start from the index of search terms: not if it only excludes terms. */
export const hasRequiredTerm = (query: string): boolean => readSearchQuery(query).all.length > 0;

/** SQL for a term of rows `s`. */
type Condition = (term: SearchTerm) => string;

/** How a query reads rows `s` of the current rules, and rows of the rules before them. */
function conditionsIn(
  workspaceId: string,
  p: Parameters,
): { readonly current: Condition; readonly outdated: Condition } {
  const marked = (lexemes: readonly Lexeme[]): string[] =>
    workspaceTokens(
      workspaceId,
      lexemes.map(({ token }) => token),
    );
  const formQuery = (lexemes: readonly Lexeme[]): string =>
    marked(lexemes)
      .map((token, index) => `'${escaped(token)}'${lexemes[index]!.isPrefix ? ':*' : ''}`)
      .join(' & ');
  const withPatterns = (condition: string, patterns: readonly string[] | null): string =>
    patterns === null
      ? condition
      : `(${condition} AND (${patterns.map((pattern) => `position(${p.add(pattern, 'text')} IN s.normal) > 0`).join(' OR ')}))`;
  return {
    current: ({ forms, patterns }) =>
      forms.length === 0
        ? 'false'
        : withPatterns(
            `array_to_tsvector(s.tokens) @@ ${p.add(forms.map(formQuery).join(' | '), 'tsquery')}`,
            patterns,
          ),
    outdated: ({ forms: [asWritten], patterns }) =>
      asWritten
        ? withPatterns(
            `s.tokens @> ${p.add(marked(asWritten), 'text[]')}`,
            patterns && patterns.slice(0, 1),
          )
        : 'false',
  };
}

/** A token inside the quotes of a tsquery. */
const escaped = (token: string): string => token.replace(/['\\]/g, '$&$&');

/**
 * The first outdated row. Sorted, so that the planner uses the index of these rows: it expects many of
 * them, and would look for the first one in the whole table.
 */
const FIRST_OUTDATED = `SELECT o.post_id FROM post_search o WHERE ${isOutdated('o')} ORDER BY ${outdatedOrder('o')} LIMIT 1`;

/**
 * SQL for the IDs of the posts that a search finds (D16). Rows of earlier rules are found by those,
 * until they are rewritten; without such rows, their part of the statement is not executed. It refers
 * to the first of them, since the planner would otherwise start parallel workers for it in advance.
 * domain/search/search-query.ts implements the same in memory; a property test compares the two.
 */
export function foundPostsSql(query: string, workspaceId: string, p: Parameters): string {
  const { all, none } = readSearchQuery(query);
  const { current, outdated } = conditionsIn(workspaceId, p);
  const found = (condition: Condition): string =>
    [...all.map(condition), ...none.map((term) => `NOT ${condition(term)}`)].join(' AND ');
  return `SELECT s.post_id FROM post_search s WHERE ${isCurrent('s')} AND ${found(current)}
    UNION ALL SELECT old.post_id FROM (${FIRST_OUTDATED}) first
      CROSS JOIN LATERAL (SELECT s.post_id FROM post_search s WHERE first.post_id IS NOT NULL AND ${isOutdated('s')} AND ${found(outdated)} OFFSET 0) old`;
}

/** The same as conditions of a post `p`. */
export function searchConditions(query: string, workspaceId: string, p: Parameters): string[] {
  const { all, none } = readSearchQuery(query);
  const { current, outdated } = conditionsIn(workspaceId, p);
  const hasRow = (join: (condition: Condition) => string): string =>
    `EXISTS (SELECT FROM post_search s WHERE s.post_id = p.id AND CASE WHEN ${isCurrent('s')} THEN ${join(current)} ELSE ${join(outdated)} END)`;
  return [
    ...(all.length > 0 ? [hasRow((condition) => all.map(condition).join(' AND '))] : []),
    ...(none.length > 0 ? [`NOT ${hasRow((condition) => none.map(condition).join(' OR '))}`] : []),
  ];
}
