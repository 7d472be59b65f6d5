import fc from 'fast-check';
import {
  nextCount,
  rateState,
  WINDOW_MS,
  type WindowCount,
} from '../../../src/domain/access/rate-window.js';

const LENGTH = WINDOW_MS.requests;
const at = (seconds: number): number => seconds * 1000;

describe('a fixed window', () => {
  it('ends 120 seconds after its first request, regardless of later requests', () => {
    const first = nextCount(undefined, at(0), LENGTH);
    const second = nextCount(first, at(119.999), LENGTH);
    expect([first, second, nextCount(second, at(120), LENGTH)]).toEqual([
      { count: 1, resetAt: at(120), now: at(0) },
      { count: 2, resetAt: at(120), now: at(119.999) },
      { count: 1, resetAt: at(240), now: at(120) },
    ]);
  });

  it('ends within one window length even if the clock is set back', () => {
    expect(nextCount({ count: 9, resetAt: at(3720) }, at(0), LENGTH)).toEqual({
      count: 1,
      resetAt: at(120),
      now: at(0),
    });
  });

  it('equals a reference implementation that counts every request', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 }), (waits) => {
        let window: WindowCount | undefined;
        let [now, from, count] = [0, -Infinity, 0];
        for (const wait of waits) {
          now += wait;
          if (now - from >= 120) [from, count] = [now, 0];
          window = nextCount(window, at(now), LENGTH);
          expect(window).toEqual({ count: (count += 1), resetAt: at(from + 120), now: at(now) });
        }
      }),
    );
  });
});

describe('rateState', () => {
  const counted = (count: number, now = at(0)): WindowCount => ({ count, resetAt: at(120), now });

  it('is allowed up to the limit, and counts down to 0', () => {
    expect(rateState(counted(1), 2)).toEqual({
      allowed: true,
      limit: 2,
      remaining: 1,
      resetAt: new Date(at(120)),
      retryAfter: 120,
    });
    expect(rateState(counted(2), 2)).toMatchObject({ allowed: true, remaining: 0 });
    expect(rateState(counted(9), 2)).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('applies a changed limit immediately', () => {
    expect(rateState(counted(4), 10)).toMatchObject({ allowed: true, limit: 10, remaining: 6 });
    expect(rateState(counted(5), 1)).toMatchObject({ allowed: false, limit: 1, remaining: 0 });
  });

  it('returns retryAfter in whole seconds, rounded up, at least 1', () => {
    expect(
      [at(0), at(59.5), at(119.001), at(119.999), at(120)].map(
        (now) => rateState(counted(1, now), 1).retryAfter,
      ),
    ).toEqual([120, 61, 1, 1, 1]);
  });
});
