import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import type { EventPosition } from '../../domain/events/event.js';

/** Where a cursor is valid. */
export interface CursorScope {
  readonly database: string;
  readonly workspaceId: string;
}

/** A cursor that was read, or why it cannot be used. */
export type CursorReading =
  | { readonly kind: 'position'; readonly position: EventPosition }
  /** It belongs to another database, or to this one before a backup was restored. */
  | { readonly kind: 'other_database' }
  /** It was modified, or belongs to another workspace. */
  | { readonly kind: 'invalid' };

const CIPHER = 'aes-256-gcm';
/** Lengths in bytes of the parts of a cursor, in this order, before the encrypted position. */
const LENGTH = { checksum: 4, database: 6, iv: 12, tag: 16 } as const;
const POSITION_LENGTH = 24;
const CURSOR_LENGTH = Object.values(LENGTH).reduce((sum, length) => sum + length, POSITION_LENGTH);

const sha256 = (...parts: readonly (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const fingerprintOf = (database: string): Buffer =>
  sha256('cursor database ', database).subarray(0, LENGTH.database);
const keyOf = (database: string): Buffer => sha256('cursor key ', database);
const checksumOf = (rest: Buffer): Buffer => sha256(rest).subarray(0, LENGTH.checksum);

function toBytes({ transactionId, sequence, at }: EventPosition): Buffer {
  const bytes = Buffer.alloc(POSITION_LENGTH);
  bytes.writeBigInt64BE(transactionId, 0);
  bytes.writeBigInt64BE(sequence, 8);
  bytes.writeBigInt64BE(BigInt(at.getTime()), 16);
  return bytes;
}

const toPosition = (bytes: Buffer): EventPosition => ({
  transactionId: bytes.readBigInt64BE(0),
  sequence: bytes.readBigInt64BE(8),
  at: new Date(Number(bytes.readBigInt64BE(16))),
});

/**
 * Writes a position as an opaque cursor (D73). It is encrypted, because transaction numbers and
 * sequences tell how much happens in other workspaces, and authenticated with the database and the
 * workspace. The initialization vector follows from the content, so equal positions have equal
 * cursors.
 */
export function writeEventCursor(
  { database, workspaceId }: CursorScope,
  position: EventPosition,
): string {
  const key = keyOf(database);
  const bytes = toBytes(position);
  const iv = createHmac('sha256', key).update(workspaceId).update(bytes).digest();
  const cipher = createCipheriv(CIPHER, key, iv.subarray(0, LENGTH.iv));
  const encrypted = cipher.setAAD(Buffer.from(workspaceId)).update(bytes);
  cipher.final();
  const rest = Buffer.concat([
    fingerprintOf(database),
    iv.subarray(0, LENGTH.iv),
    cipher.getAuthTag(),
    encrypted,
  ]);
  return Buffer.concat([checksumOf(rest), rest]).toString('base64url');
}

/** Reads a cursor. The checksum tells a modified cursor from one of another database. */
export function readEventCursor(
  { database, workspaceId }: CursorScope,
  cursor: string,
): CursorReading {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== CURSOR_LENGTH || bytes.toString('base64url') !== cursor)
    return { kind: 'invalid' };
  let offset = 0;
  const take = (length: number): Buffer => bytes.subarray(offset, (offset += length));
  const checksum = take(LENGTH.checksum);
  if (!checksum.equals(checksumOf(bytes.subarray(offset)))) return { kind: 'invalid' };
  if (!take(LENGTH.database).equals(fingerprintOf(database))) return { kind: 'other_database' };
  const decipher = createDecipheriv(CIPHER, keyOf(database), take(LENGTH.iv));
  decipher.setAuthTag(take(LENGTH.tag)).setAAD(Buffer.from(workspaceId));
  const position = decipher.update(take(POSITION_LENGTH));
  try {
    decipher.final();
  } catch {
    return { kind: 'invalid' };
  }
  return { kind: 'position', position: toPosition(position) };
}
