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

/** Digits in the order of their values. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The number in base 62, padded with zeros to `length` digits; digits beyond it (from the left) are
 * dropped.
 */
export function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n)
    text = BASE62[Number(rest % 62n)] + text;
  return text;
}

/** CRC-32 (IEEE 802.3) of each single byte. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/**
 * The last 6 base-62 characters of a key (D33): the CRC-32 of the ASCII text before them. It
 * detects typing errors without a database query; it is not a secret and does not authenticate.
 */
export function keyChecksum(text: string): string {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++)
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0);
  return toBase62(BigInt((crc ^ 0xffffffff) >>> 0), 6);
}
