/**
 * A post is known by two ids (D3): the document id of 24 hex digits, which is the one we show, and an
 * integer relational id. Both are accepted wherever a post id is.
 */
export type PostId = { kind: 'document'; id: string } | { kind: 'relational'; id: number };

/** PostgreSQL's and GraphQL's largest 32-bit integer; a larger number names no post. */
export const MAX_RELATIONAL_ID = 2_147_483_647;

/**
 * Reads a post id as a caller sent it. 24 hex digits are always a document id, even when all are decimal
 * digits; the answer has them in lower case. A relational id is 1 to 2,147,483,647 in decimal, without sign
 * or leading zeros. Anything else is null, which callers answer like an unknown id (D3).
 */
export function readPostId(text: string): PostId | null {
  if (/^[0-9a-f]{24}$/i.test(text)) return { kind: 'document', id: text.toLowerCase() };
  if (!/^[1-9][0-9]{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_RELATIONAL_ID ? { kind: 'relational', id } : null;
}

/**
 * Whether the text has the form of another record's id (D3): the prefix (`wks`, `acc`, `usr`, `lbl`, `med`,
 * `job`, `key`, `ntf`), an underscore, and 1 to 64 ASCII letters or digits. Case matters.
 */
export function isPrefixedId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{1,64}$/.test(text.slice(prefix.length + 1));
}
