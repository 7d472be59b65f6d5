/**
 * A post has two ids (D3): the document id of 24 hex digits, which responses contain, and an integer relational id. Both
 * are accepted as a post id in requests.
 */
export type PostId = { kind: 'document'; id: string } | { kind: 'relational'; id: number };

/** The largest 32-bit integer of PostgreSQL and GraphQL; larger numbers are not post ids. */
export const MAX_RELATIONAL_ID = 2_147_483_647;

/**
 * Reads a post id from a request. 24 hex digits are always a document id, even if all are decimal digits; they are
 * lowercased. A relational id is 1 to 2,147,483,647 in decimal, without sign or leading zeros. Anything else is null,
 * which is treated like an unknown id (D3).
 */
export function readPostId(text: string): PostId | null {
  if (/^[0-9a-f]{24}$/i.test(text)) return { kind: 'document', id: text.toLowerCase() };
  if (!/^[1-9][0-9]{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_RELATIONAL_ID ? { kind: 'relational', id } : null;
}

/**
 * Whether the text has the format of another record's id (D3): a prefix (`wks`, `acc`, `usr`, `lbl`, `med`, `job`, `key`,
 * `ntf`), an underscore, and 1 to 64 ASCII letters or digits. Case-sensitive.
 */
export function isPrefixedId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{1,64}$/.test(text.slice(prefix.length + 1));
}
