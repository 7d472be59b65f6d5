import fc from 'fast-check';
import { deliveryPause } from '../../src/domain/jobs/deliveries.js';

const HOUR = 3_600_000;
const chance = fc.double({ min: 0, max: 1, noNaN: true });

describe('the pauses of a delivery', () => {
  it('are those that the specification proposes, three days in all, and then there is an end', () => {
    const pauses = Array.from({ length: 10 }, (_, index) =>
      deliveryPause(index + 1, { chance: 0 }),
    );
    expect(pauses).toEqual([
      5_000,
      300_000,
      1_800_000,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
      null,
    ]);
    expect(pauses.reduce<number>((sum, one) => sum + (one ?? 0), 0)).toBe(
      75 * HOUR + 35 * 60_000 + 5_000,
    );
  });

  it('are never shorter than asked for up to a day, and never more than a fifth longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 100 * HOUR }),
        chance,
        (attempt, askedMs, luck) => {
          const least = Math.max(
            deliveryPause(attempt, { chance: 0 })!,
            Math.min(askedMs, 24 * HOUR),
          );
          const pause = deliveryPause(attempt, { askedMs, chance: luck })!;
          expect(pause).toBeGreaterThanOrEqual(least);
          expect(pause).toBeLessThanOrEqual(least * 1.2 + 1);
        },
      ),
    );
  });
});
