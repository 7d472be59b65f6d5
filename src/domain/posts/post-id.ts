/**
 * A post has two IDs (D3): the document ID of 24 hex digits, which responses contain, and an
 * integer, the database ID. Both are accepted as a post ID in requests.
 */
export type PostId = { kind: 'document'; id: string } | { kind: 'database'; id: number };

/** The largest 32-bit integer of PostgreSQL and GraphQL; larger numbers are not post IDs. */
export const MAX_DATABASE_ID = 2_147_483_647;

/**
 * Reads a post ID from a request. 24 hex digits are always a document ID, even if all are decimal
 * digits; they are lowercased. A database ID is 1 to 2,147,483,647 in decimal, without sign or
 * leading zeros. Anything else is null, which is treated like an unknown ID (D3).
 */
export function readPostId(text: string): PostId | null {
  if (/^[0-9a-f]{24}$/i.test(text)) return { kind: 'document', id: text.toLowerCase() };
  if (!/^[1-9][0-9]{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_DATABASE_ID ? { kind: 'database', id } : null;
}

/**
 * Prefix of an ID, by kind of record: workspace, account, user, label, media, job, key,
 * notification, group of posts, webhook, delivery of a webhook.
 */
export type IdPrefix =
  'wks' | 'acc' | 'usr' | 'lbl' | 'med' | 'job' | 'key' | 'ntf' | 'grp' | 'whk' | 'dlv';

/**
 * Whether the text has the format of another record's ID (D3): a prefix, an underscore, and 1 to
 * 64 ASCII letters or digits. Case-sensitive.
 */
export function isPrefixedId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{1,64}$/.test(text.slice(prefix.length + 1));
}
