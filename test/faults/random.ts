import { suite } from '../setup/suite.js';

/**
 * `--seed 7`: the same faults in the same order, with the same durations and targets, and clients
 * that start the same way. What the clients do later depends on the responses they get.
 */
export const SEED = suite.number('seed', Date.now() % 2 ** 31);

/** Random choices, reproducible with the same seed. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  fraction(): number;
  between(range: readonly [number, number]): number;
  oneOf<T>(list: readonly T[]): T;
}

const STREAM_STEP = 0x9e3779b9;

/**
 * An independent stream of random numbers (mulberry32). Each concurrent client has one, so that
 * timing does not change its choices.
 */
export function createRandom(stream: number): Random {
  let state = SEED + stream * STREAM_STEP;
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    fraction,
    between: ([min, max]) => min + fraction() * (max - min),
    oneOf: (list) => list[Math.floor(fraction() * list.length)]!,
  };
}
