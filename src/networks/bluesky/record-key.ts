import { createHash } from 'node:crypto';
import type { Post } from '../../domain/posts/post.js';

const ALPHABET = '234567abcdefghijklmnopqrstuvwxyz';
const CHARACTERS = 13;
const BITS_PER_CHARACTER = 5n;
const CLOCK_ID_BITS = 10n;
const MICROSECONDS_PER_SECOND = 1_000_000;

/**
 * The record key of a post at a time, of the kind that Bluesky requires, a TID: 13 characters,
 * which sort by time. Microseconds and clock ID follow from the ID of the post, so that the same
 * post at the same time always has the same key, and two posts never have.
 */
export function recordKeyOf({ id }: Pick<Post, 'id'>, time: Date): string {
  const hash = createHash('sha256').update(id).digest();
  const seconds = BigInt(Math.floor(time.getTime() / 1_000));
  const microseconds =
    seconds * BigInt(MICROSECONDS_PER_SECOND) +
    BigInt(hash.readUInt32BE(0) % MICROSECONDS_PER_SECOND);
  let bits =
    (microseconds << CLOCK_ID_BITS) | BigInt(hash.readUInt32BE(4) % (1 << Number(CLOCK_ID_BITS)));
  let key = '';
  for (let index = 0; index < CHARACTERS; index += 1) {
    key = ALPHABET[Number(bits % (1n << BITS_PER_CHARACTER))]! + key;
    bits >>= BITS_PER_CHARACTER;
  }
  return key;
}
