import { createHash } from 'node:crypto';
import { normalText, searchTokens } from '../domain/search-text.js';
import type { Post } from '../domain/post.js';

const PREFIX_LENGTH = 5;

/** Tokens with a short mark of their workspace, so that a common word's entry in the index is not shared by all tenants. */
export function workspaceTokens(workspaceId: string, tokens: readonly string[]): string[] {
  const mark = createHash('sha256').update(workspaceId).digest('base64url').slice(0, PREFIX_LENGTH);
  return tokens.map((token) => `${mark}${token}`);
}

/** What is searched of a post (D16): the words of its title and its text, which no phrase spans. */
export const searchNormal = (post: Pick<Post, 'title' | 'text'>): string => normalText(post.title ?? '') + normalText(post.text);

/** A post's row in the search index. */
export function searchRow(workspaceId: string, post: Pick<Post, 'title' | 'text'>): { normal: string; tokens: string[] } {
  const normal = searchNormal(post);
  return { normal, tokens: workspaceTokens(workspaceId, searchTokens(normal)) };
}
