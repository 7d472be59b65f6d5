import { hash } from 'node:crypto';

/**
 * The SHA-256 of a key's value, 32 bytes: the only form in which a key is stored (D33). A plain hash is
 * enough, since a key's secret has 178 random bits and stands in no dictionary.
 */
export function keyHash(value: string): Uint8Array {
  return new Uint8Array(hash('sha256', value, 'buffer'));
}
