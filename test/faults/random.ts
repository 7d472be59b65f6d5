import { suite } from '../setup/suite.js';

/** `--seed 7`: the same faults in the same order, as long and of the same processes, and clients that begin alike; how they go on depends on what they are told. */
export const SEED = suite.number('seed', Date.now() % 2 ** 31);

/** What is left to chance, the same again with the same seed. */
export interface Chance {
  /** From 0 to 1, without 1. */
  share(): number;
  between(range: readonly [number, number]): number;
  oneOf<T>(list: readonly T[]): T;
}

const STREAMS_APART = 0x9e3779b9;

/** A stream of its own for whoever runs beside others: how fast they are then changes nothing in it (mulberry32). */
export function aChance(stream: number): Chance {
  let state = SEED + stream * STREAMS_APART;
  function share(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    share,
    between: ([least, most]) => least + share() * (most - least),
    oneOf: (list) => list[Math.floor(share() * list.length)]!,
  };
}
