import { keyChecksum, toBase62 } from './key-checksum.js';

const PREFIX = 'spk_live_';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;

/** How many random bytes a key is made of: 256 bits over 62^30 values leave a bias below 2^-77. */
export const KEY_ENTROPY_BYTES = 32;

/**
 * Makes a key's value of random bytes (D33): `spk_live_`, 30 base-62 characters, 6 of checksum. The caller
 * brings the randomness, because this room has none. Throws RangeError unless there are exactly
 * KEY_ENTROPY_BYTES bytes.
 */
export function keyValue(randomBytes: Uint8Array): string {
  if (randomBytes.length !== KEY_ENTROPY_BYTES)
    throw new RangeError(`a key takes ${KEY_ENTROPY_BYTES} random bytes`);
  const number = randomBytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const body = PREFIX + toBase62(number, SECRET_LENGTH);
  return body + keyChecksum(body);
}

/** Whether a value has a key's form and its checksum is right; when not, it is refused without a look-up (D33). */
export function hasValidChecksum(value: string): boolean {
  if (
    value.length !== PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH ||
    !/^spk_live_[0-9A-Za-z]+$/.test(value)
  )
    return false;
  return keyChecksum(value.slice(0, -CHECKSUM_LENGTH)) === value.slice(-CHECKSUM_LENGTH);
}
