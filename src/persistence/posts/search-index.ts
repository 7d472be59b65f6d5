import { createHash } from 'node:crypto';
import { readSearchQuery, type SearchTerm } from '../../domain/posts/search-query.js';
import { normalText, searchTokens } from '../../domain/posts/search-text.js';
import type { Post } from '../../domain/posts/post.js';
import type { Parameters } from '../sql.js';

const PREFIX_LENGTH = 5;

/** Tokens with a short mark of their workspace, so that a common word's entry in the index is not shared by all tenants. */
export function workspaceTokens(workspaceId: string, tokens: readonly string[]): string[] {
  const mark = createHash('sha256').update(workspaceId).digest('base64url').slice(0, PREFIX_LENGTH);
  return tokens.map((token) => `${mark}${token}`);
}

/** What is searched of a post (D16): the words of its title and its text, which no phrase spans. */
export const searchNormal = (post: Pick<Post, 'title' | 'text'>): string =>
  normalText(post.title ?? '') + normalText(post.text);

/** A post's row in the search index. */
export function searchRow(
  workspaceId: string,
  post: Pick<Post, 'title' | 'text'>,
): { normal: string; tokens: string[] } {
  const normal = searchNormal(post);
  return { normal, tokens: workspaceTokens(workspaceId, searchTokens(normal)) };
}

/**
 * What a query asks of a row `s` of the search index: that it holds each of `all`, and none of `none` (D16).
 * domain/posts/search-query.ts has the same in memory, and a property test holds the two together.
 */
export function searchConditions(
  query: string,
  workspaceId: string,
  p: Parameters,
): { all: string[]; none: string[] } {
  const { all, none } = readSearchQuery(query);
  const holds = (term: SearchTerm): string => {
    const tokens = `s.tokens @> ${p.add(workspaceTokens(workspaceId, term.tokens), 'text[]')}`;
    return term.pattern === null
      ? tokens
      : `(${tokens} AND position(${p.add(term.pattern, 'text')} IN s.normal) > 0)`;
  };
  return { all: all.map(holds), none: none.map(holds) };
}
