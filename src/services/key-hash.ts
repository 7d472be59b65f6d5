import { createHash } from 'node:crypto';

/**
 * The SHA-256 of a key's value as 64 lower-case hex digits: the only form in which a key is stored (D33).
 * A plain hash is enough, since a key's secret has 178 random bits and cannot be guessed from a dictionary.
 */
export function keyHash(value: string): string {
  return createHash('sha256').update(value, 'utf8').digest('hex');
}
