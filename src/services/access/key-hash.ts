import { hash } from 'node:crypto';

/**
 * The SHA-256 of a key's value, 32 bytes: the only form in which a key is stored (D33). No salt or
 * slow hash is needed, because a key has 178 random bits.
 */
export function keyHash(value: string): Uint8Array {
  return new Uint8Array(hash('sha256', value, 'buffer'));
}
