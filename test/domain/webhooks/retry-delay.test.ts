import fc from 'fast-check';
import { deliveryRetryDelayMs } from '../../../src/services/webhooks/send-delivery.js';

const HOUR = 3_600_000;
const random = fc.double({ min: 0, max: 1, noNaN: true });

describe('deliveryRetryDelayMs', () => {
  it('returns the pauses of the specification, three days in total, then null', () => {
    const pauses = Array.from({ length: 10 }, (_, index) =>
      deliveryRetryDelayMs(index + 1, { random: 0 }),
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
    expect(pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0)).toBe(
      75 * HOUR + 35 * 60_000 + 5_000,
    );
  });

  it('is not shorter than the requested pause (up to a day) and at most 20 % longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 100 * HOUR }),
        random,
        (attempt, requestedMs, randomValue) => {
          const min = Math.max(
            deliveryRetryDelayMs(attempt, { random: 0 })!,
            Math.min(requestedMs, 24 * HOUR),
          );
          const delay = deliveryRetryDelayMs(attempt, { requestedMs, random: randomValue })!;
          expect(delay).toBeGreaterThanOrEqual(min);
          expect(delay).toBeLessThanOrEqual(min * 1.2 + 1);
        },
      ),
    );
  });
});
