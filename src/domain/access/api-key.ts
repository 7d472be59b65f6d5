import { keyChecksum, toBase62 } from './key-checksum.js';

const PREFIX = 'spk_live_';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;

/** Random bytes per key: 256 bits mapped to 62^30 values leave a bias below 2^-77. */
export const KEY_ENTROPY_BYTES = 32;

/**
 * Creates the value of a key from random bytes (D33): `spk_live_`, 30 base-62 characters, 6
 * characters of checksum.
 * @throws RangeError unless there are exactly KEY_ENTROPY_BYTES bytes
 */
export function createKeyValue(randomBytes: Uint8Array): string {
  if (randomBytes.length !== KEY_ENTROPY_BYTES)
    throw new RangeError(`A key requires ${KEY_ENTROPY_BYTES} random bytes.`);
  const number = randomBytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const body = PREFIX + toBase62(number, SECRET_LENGTH);
  return body + keyChecksum(body);
}

/**
 * Whether a value has the format and checksum of a key; other values are rejected without a
 * database query (D33).
 */
export function hasValidChecksum(value: string): boolean {
  if (
    value.length !== PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH ||
    !/^spk_live_[0-9A-Za-z]+$/.test(value)
  )
    return false;
  return keyChecksum(value.slice(0, -CHECKSUM_LENGTH)) === value.slice(-CHECKSUM_LENGTH);
}
