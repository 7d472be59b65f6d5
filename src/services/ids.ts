import { randomBytes, randomInt } from 'node:crypto';
import { BASE62 } from '../domain/access/api-key.js';
import type { IdPrefix } from '../domain/posts/post.js';
import type { Clock } from './clock.js';

/** Creates IDs of new records (D3). */
export interface Ids {
  /** A document ID: 24 hex digits. */
  document(): string;
  /** A prefix, an underscore and 16 base62 characters. */
  prefixed(prefix: IdPrefix): string;
}

/** 95 random bits: no collision is expected below 10^14 records. */
const PREFIXED_LENGTH = 16;
const COUNTER_SIZE = 2 ** 24;

/**
 * Creates IDs (D3). Document IDs have the format of MongoDB ObjectIDs (4 bytes of seconds, 5 random
 * bytes of this process, a 3-byte counter), so they sort by second and two processes do not
 * collide. All others are random.
 */
export function createIds(clock: Clock): Ids {
  const processPart = randomBytes(5).toString('hex');
  let counter = randomInt(COUNTER_SIZE);
  return {
    document() {
      counter = (counter + 1) % COUNTER_SIZE;
      return hex(Math.floor(clock.now().getTime() / 1000), 8) + processPart + hex(counter, 6);
    },
    prefixed: (prefix) => `${prefix}_${randomBase62(PREFIXED_LENGTH)}`,
  };
}

const hex = (value: number, digits: number): string =>
  value.toString(16).padStart(digits, '0').slice(-digits);

function randomBase62(length: number): string {
  // Bytes from this value on would bias toward the first characters.
  const unbiasedLimit = 256 - (256 % BASE62.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length))
      if (byte < unbiasedLimit && text.length < length) text += BASE62[byte % BASE62.length];
  }
  return text;
}
