import { randomInt } from 'node:crypto';

const ALPHABET = '234567abcdefghijklmnopqrstuvwxyz';
const CHARACTERS = 13;
const BITS_PER_CHARACTER = 5n;
const CLOCK_ID_BITS = 10n;

/**
 * A new record key of the kind that Bluesky requires for posts, a TID: 13 characters, which sort by
 * time. Microseconds and clock ID are random, so that no two processes make the same key.
 */
export function createRecordKey(now: Date): string {
  const microseconds = BigInt(now.getTime()) * 1_000n + BigInt(randomInt(1_000));
  let bits = (microseconds << CLOCK_ID_BITS) | BigInt(randomInt(1 << Number(CLOCK_ID_BITS)));
  let key = '';
  for (let index = 0; index < CHARACTERS; index += 1) {
    key = ALPHABET[Number(bits % (1n << BITS_PER_CHARACTER))]! + key;
    bits >>= BITS_PER_CHARACTER;
  }
  return key;
}
