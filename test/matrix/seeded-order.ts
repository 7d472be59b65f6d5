import { createHash } from 'node:crypto';
import { suite } from '../setup/suite.js';

/** `--seed 7`: the same sample, and the same choices of the API that makes each real change. */
export const SEED = suite.number('seed', suite.length === 'short' ? 1 : Date.now() % 2 ** 31);

/** A number from 0 to 65,535 that depends only on the seed and the text. */
export const drawNumber = (text: string): number =>
  createHash('sha1').update(`${SEED} ${text}`).digest().readUInt16BE();

/** The first `count` items in a random order that depends only on the seed and the items' names. */
export function drawSample<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  count: number,
): T[] {
  const hashOf = (item: T): string =>
    createHash('sha1')
      .update(`${SEED} ${nameOf(item)}`)
      .digest('hex');
  return items
    .map((item) => ({ item, hash: hashOf(item) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(0, count)
    .map(({ item }) => item);
}
