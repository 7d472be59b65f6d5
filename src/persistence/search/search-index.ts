import { createHash } from 'node:crypto';
import { toSearchDocument } from '../../domain/search/search-document.js';
import { searchedTexts, type SearchedPost } from '../../domain/search/searched-fields.js';

const PREFIX_LENGTH = 5;

/**
 * The first token of a row: the version of the rules that the row was written with. Processes of
 * earlier releases write rows without it. Tokens of words are longer.
 */
export const RULES_VERSION = '2';

/** Whether a row of post_search was written with the current rules. Literals, as in its indexes. */
export const isCurrent = (row: string): string => `${row}.tokens[1] = '${RULES_VERSION}'`;
export const isOutdated = (row: string): string =>
  `${row}.tokens[1] IS DISTINCT FROM '${RULES_VERSION}'`;

/** The order of outdated rows in their index, which no other index has. */
export const outdatedOrder = (row: string): string => `${isCurrent(row)}, ${row}.post_id`;

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
  return { normal, tokens: [RULES_VERSION, ...workspaceTokens(workspaceId, tokens)] };
}
