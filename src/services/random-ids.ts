import { randomBytes, randomInt } from 'node:crypto';
import { BASE62 } from '../domain/access/key-checksum.js';
import type { Clock, Ids } from './ports.js';

export const systemClock: Clock = { now: () => new Date() };

const PREFIXED_LENGTH = 16; // 95 random bits: a collision is not to be expected before 10^14 records
const COUNTER_SIZE = 2 ** 24;

/**
 * Makes identifiers (D3): document ids as the document database makes them (4 bytes of seconds, 5 random ones of this
 * process, a counter of 3), so that they sort by time to the second and two processes never meet; all others random.
 */
export function createIds(clock: Clock = systemClock): Ids {
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
  const fair = 256 - (256 % BASE62.length); // bytes from here on would favour the first characters
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length))
      if (byte < fair && text.length < length) text += BASE62[byte % BASE62.length];
  }
  return text;
}
