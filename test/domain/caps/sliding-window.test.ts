import fc from 'fast-check';
import { capAllowance, capUsage } from '../../../src/domain/caps/daily-caps.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The most publications that any 24 hours hold; a fullest window always begins at one of them. */
const fullest = (times: readonly number[]): number =>
  Math.max(
    0,
    ...times.map((start) => times.filter((time) => time >= start && time < start + DAY).length),
  );

const limit = fc.integer({ min: 1, max: 5 });
// Whole hours and half days, so that times 24 hours apart to the millisecond are common.
const time = fc.oneof(
  fc.integer({ min: -72, max: 72 }).map((hours) => hours * HOUR),
  fc.integer({ min: -5 * DAY, max: 5 * DAY }),
);
const times = fc.array(time, { maxLength: 25 });

describe('allowance', () => {
  it.each([
    ['an empty day', 1, [], 0, { fits: true, nextFreeAt: 0 }],
    ['a full day', 1, [0], 5, { fits: false, nextFreeAt: DAY }],
    ['exactly 24 hours later', 1, [0], DAY, { fits: true, nextFreeAt: DAY }],
    ['exactly 24 hours earlier', 1, [DAY], 0, { fits: true, nextFreeAt: 0 }],
    ['one millisecond less', 1, [0], DAY - 1, { fits: false, nextFreeAt: DAY }],
    ['before a planned one', 1, [DAY], 1, { fits: false, nextFreeAt: 2 * DAY }],
    ['the same moment twice', 2, [0, 0], 0, { fits: false, nextFreeAt: DAY }],
    [
      'between two that are too far apart for each other',
      2,
      [0, 30 * HOUR],
      15 * HOUR,
      { fits: true, nextFreeAt: 15 * HOUR },
    ],
    ['between two that are not', 2, [0, 20 * HOUR], 10 * HOUR, { fits: false, nextFreeAt: DAY }],
    ['a chain of full days', 1, [0, DAY, 2 * DAY], HOUR, { fits: false, nextFreeAt: 3 * DAY }],
    [
      'in any order',
      2,
      [5 * HOUR, HOUR, 3 * DAY],
      6 * HOUR,
      { fits: false, nextFreeAt: DAY + HOUR },
    ],
  ])('%s', (_what, cap, taken, at, expected) => {
    expect(capAllowance(cap, taken, at)).toEqual(expected);
  });

  it('fits if and only if no 24 hours with the new publication exceed the cap', () => {
    fc.assert(
      fc.property(limit, times, time, (cap, taken, at) => {
        const near = taken.filter((other) => Math.abs(other - at) < DAY);
        const windows = [...near, at].filter((start) => start <= at && start > at - DAY);
        const isOver = windows.some(
          (start) =>
            [...near, at].filter((other) => other >= start && other < start + DAY).length > cap,
        );
        expect(capAllowance(cap, taken, at).fits).toBe(!isOver);
      }),
      { numRuns: 2000 },
    );
  });

  it('returns the earliest time that fits', () => {
    fc.assert(
      fc.property(limit, times, time, (cap, taken, at) => {
        const { fits, nextFreeAt } = capAllowance(cap, taken, at);
        expect(capAllowance(cap, taken, nextFreeAt).fits).toBe(true);
        const candidates = [at, ...taken.map((other) => other + DAY)].filter(
          (other) => other >= at,
        );
        expect(nextFreeAt).toBe(
          Math.min(...candidates.filter((other) => capAllowance(cap, taken, other).fits)),
        );
        if (!fits) expect(capAllowance(cap, taken, nextFreeAt - 1).fits).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('never exceeds the cap in any 24 hours', () => {
    fc.assert(
      fc.property(limit, times, fc.boolean(), (cap, requested, moves) => {
        const taken: number[] = [];
        for (const at of requested) {
          const { fits, nextFreeAt } = capAllowance(cap, taken, at);
          if (fits || moves) taken.push(nextFreeAt);
        }
        expect(fullest(taken)).toBeLessThanOrEqual(cap);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not modify its arguments', () => {
    const taken = Object.freeze([3, 1, 2]);
    expect(capAllowance(9, taken, 0).fits).toBe(true);
  });
});

describe('usage', () => {
  it.each([
    ['no publications', 2, [], { used: 0, remaining: 2, nextFreeAt: null }],
    ['one of two', 2, [-HOUR], { used: 1, remaining: 1, nextFreeAt: null }],
    ['all used', 1, [-HOUR], { used: 1, remaining: 0, nextFreeAt: DAY - HOUR }],
    ['used this moment', 1, [0], { used: 1, remaining: 0, nextFreeAt: DAY }],
    ['used 24 hours ago', 1, [-DAY], { used: 0, remaining: 1, nextFreeAt: null }],
    [
      'over the cap since the plan changed',
      1,
      [-2 * HOUR, -HOUR],
      { used: 2, remaining: 0, nextFreeAt: DAY - HOUR },
    ],
    ['planned soon', 1, [HOUR], { used: 0, remaining: 1, nextFreeAt: DAY + HOUR }],
  ])('%s', (_what, cap, taken, expected) => {
    expect(capUsage(cap, taken, 0)).toEqual(expected);
  });

  it('has a next free time if nothing remains', () => {
    fc.assert(
      fc.property(limit, times, time, (cap, taken, now) => {
        const { used, remaining, nextFreeAt } = capUsage(cap, taken, now);
        expect(remaining).toBe(Math.max(0, cap - used));
        if (remaining === 0) expect(nextFreeAt).toBeGreaterThan(now);
      }),
    );
  });
});
