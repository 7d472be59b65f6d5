import { readSearchQuery, type Lexeme, type SearchTerm } from '../../domain/search/search-query.js';
import type { Parameters } from '../sql.js';
import { workspaceTokens } from './search-index.js';

/** Whether a search can start from the index of search terms: not if it only excludes terms. */
export const hasRequiredTerm = (query: string): boolean => readSearchQuery(query).all.length > 0;

/** SQL for a term in rows `s`. */
type Condition = (term: SearchTerm) => string;

function conditionIn(workspaceId: string, p: Parameters): Condition {
  const formQuery = (lexemes: readonly Lexeme[]): string =>
    workspaceTokens(
      workspaceId,
      lexemes.map(({ token }) => token),
    )
      .map((token, index) => `'${escaped(token)}'${lexemes[index]!.isPrefix ? ':*' : ''}`)
      .join(' & ');
  return ({ forms, patterns }) => {
    if (forms.length === 0) return 'false';
    const condition = `array_to_tsvector(s.tokens) @@ ${p.add(forms.map(formQuery).join(' | '), 'tsquery')}`;
    return patterns === null
      ? condition
      : `(${condition} AND (${patterns.map((pattern) => `position(${p.add(pattern, 'text')} IN s.normal) > 0`).join(' OR ')}))`;
  };
}

/** A token inside the quotes of a tsquery. */
const escaped = (token: string): string => token.replace(/['\\]/g, '$&$&');

/**
 * SQL for the IDs of the posts that a search finds (D16). A property test compares it with the same
 * search in memory.
 */
export function foundPostsSql(query: string, workspaceId: string, p: Parameters): string {
  const { all, none } = readSearchQuery(query);
  const condition = conditionIn(workspaceId, p);
  const conditions = [...all.map(condition), ...none.map((term) => `NOT ${condition(term)}`)];
  return `SELECT s.post_id FROM post_search s WHERE ${conditions.join(' AND ')}`;
}

/** The same as conditions of a post `p`. */
export function searchConditions(query: string, workspaceId: string, p: Parameters): string[] {
  const { all, none } = readSearchQuery(query);
  const condition = conditionIn(workspaceId, p);
  const hasRow = (conditions: string): string =>
    `EXISTS (SELECT FROM post_search s WHERE s.post_id = p.id AND ${conditions})`;
  return [
    ...(all.length > 0 ? [hasRow(all.map(condition).join(' AND '))] : []),
    ...(none.length > 0 ? [`NOT ${hasRow(`(${none.map(condition).join(' OR ')})`)}`] : []),
  ];
}
