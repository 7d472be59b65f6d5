import { createHash } from 'node:crypto';

/** Where an item stands in a list: its sort value (an ISO time or a name; null where it has none) and its id. */
export interface Place {
  readonly at: string | null;
  readonly id: string | number;
}

const SEAL_LENGTH = 8;
/** Shows a changed or cut cursor; it is no secret, since a made-up place would show nothing that the list does not. */
const seal = (body: string): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, SEAL_LENGTH);

/** A place in the list of this order, as the text that clients hand back. */
export function writeCursor(order: string, { at, id }: Place): string {
  const body = JSON.stringify([order, at, id]);
  return Buffer.from(seal(body) + body).toString('base64url');
}

/** Reads what writeCursor wrote; null for anything else: changed, of another order, or never a cursor. */
export function readCursor(order: string, cursor: string): Place | null {
  const text = Buffer.from(cursor, 'base64url').toString();
  const body = text.slice(SEAL_LENGTH);
  if (text !== seal(body) + body || Buffer.from(text).toString('base64url') !== cursor) return null;
  const [of, at, id] = parts(body);
  return of === order ? ({ at, id } as Place) : null;
}

/** Who computes the seal anew can put any text behind it. */
function parts(body: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(body);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
