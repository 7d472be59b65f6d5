import { createHash } from 'node:crypto';

/**
 * Position of an item in a list: its sort value (ISO time or name, null for undated items) and its
 * ID.
 */
export interface CursorKey {
  readonly sortValue: string | null;
  readonly id: string | number;
}

const CHECKSUM_LENGTH = 8;
/**
 * Checksum against modified or truncated cursors. Not a secret: a forged cursor reveals nothing
 * that the list does not.
 */
const checksum = (body: string): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, CHECKSUM_LENGTH);

/** Encodes a position in a list of this order as an opaque cursor. */
export function writeCursor(order: string, { sortValue, id }: CursorKey): string {
  const body = JSON.stringify([order, sortValue, id]);
  return Buffer.from(checksum(body) + body).toString('base64url');
}

/** Decodes a cursor; null if it is malformed, modified or of another order. */
export function readCursor(order: string, cursor: string): CursorKey | null {
  const text = Buffer.from(cursor, 'base64url').toString();
  const body = text.slice(CHECKSUM_LENGTH);
  if (text !== checksum(body) + body || Buffer.from(text).toString('base64url') !== cursor)
    return null;
  const [name, sortValue, id] = parseBody(body);
  return name === order ? ({ sortValue, id } as CursorKey) : null;
}

/** A client can compute the checksum, so the body may be any text. */
function parseBody(body: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(body);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
