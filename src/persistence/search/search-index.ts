import { createHash } from 'node:crypto';
import {
  toSearchDocument,
  searchedTexts,
  type SearchedPost,
} from '../../domain/search/search-document.js';

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

/** The row of a post in the search index (D16). */
export function searchRow(
  workspaceId: string,
  post: SearchedPost,
): { normal: string; tokens: string[] } {
  const { normal, tokens } = toSearchDocument(searchedTexts(post));
  return { normal, tokens: workspaceTokens(workspaceId, tokens) };
}
