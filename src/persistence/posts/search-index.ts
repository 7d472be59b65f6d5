import { createHash } from 'node:crypto';
import { readSearchQuery, type SearchTerm } from '../../domain/posts/search-query.js';
import { normalText, searchTokens } from '../../domain/posts/search-text.js';
import type { Post } from '../../domain/posts/post.js';
import type { Parameters } from '../sql.js';

const PREFIX_LENGTH = 5;

/**
 * Prefixes tokens with a short hash of the workspace, so that the index entry of a common word is
 * not shared by all workspaces.
 */
export function workspaceTokens(workspaceId: string, tokens: readonly string[]): string[] {
  const prefix = createHash('sha256')
    .update(workspaceId)
    .digest('base64url')
    .slice(0, PREFIX_LENGTH);
  return tokens.map((token) => `${prefix}${token}`);
}

/** The searchable text of a post (D16): the words of title and text. No phrase spans both. */
export const searchNormal = (post: Pick<Post, 'title' | 'text'>): string =>
  normalText(post.title ?? '') + normalText(post.text);

/** The row of a post in the search index. */
export function searchRow(
  workspaceId: string,
  post: Pick<Post, 'title' | 'text'>,
): { normal: string; tokens: string[] } {
  const normal = searchNormal(post);
  return { normal, tokens: workspaceTokens(workspaceId, searchTokens(normal)) };
}

/**
 * Conditions of a search query on a row `s` of the search index: it must match each of `all` and
 * none of `none` (D16). domain/posts/search-query.ts implements the same in memory; a property test
 * compares the two.
 */
export function searchConditions(
  query: string,
  workspaceId: string,
  p: Parameters,
): { all: string[]; none: string[] } {
  const { all, none } = readSearchQuery(query);
  const matches = (term: SearchTerm): string => {
    const tokens = `s.tokens @> ${p.add(workspaceTokens(workspaceId, term.tokens), 'text[]')}`;
    return term.pattern === null
      ? tokens
      : `(${tokens} AND position(${p.add(term.pattern, 'text')} IN s.normal) > 0)`;
  };
  return { all: all.map(matches), none: none.map(matches) };
}
