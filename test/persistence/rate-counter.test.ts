import fc from 'fast-check';
import { createRateCounter, FAILURE_WINDOWS, REQUEST_WINDOWS } from '../../src/persistence/rate-counter.js';

const second = (seconds: number): Date => new Date(Date.UTC(2026, 0) + seconds * 1000);

describe('createRateCounter', () => {
  it('counts down to nothing and opens again 120 seconds after the first request', async () => {
    const counter = createRateCounter(REQUEST_WINDOWS);
    expect(await counter.take('usr_a', 2, second(0))).toEqual({ allowed: true, limit: 2, remaining: 1, resetAt: second(120) });
    expect(await counter.take('usr_a', 2, second(60))).toEqual({ allowed: true, limit: 2, remaining: 0, resetAt: second(120) });
    expect(await counter.take('usr_a', 2, second(119.999))).toEqual({ allowed: false, limit: 2, remaining: 0, resetAt: second(120) });
    expect(await counter.take('usr_a', 2, second(120))).toEqual({ allowed: true, limit: 2, remaining: 1, resetAt: second(240) });
  });

  it('keeps users apart', async () => {
    const counter = createRateCounter(REQUEST_WINDOWS);
    await counter.take('usr_a', 1, second(0));
    expect(await counter.take('usr_b', 1, second(1))).toMatchObject({ allowed: true, resetAt: second(121) });
  });

  it('holds to a changed limit in the middle of a window, up and down', async () => {
    const counter = createRateCounter(REQUEST_WINDOWS);
    for (let i = 0; i < 3; i++) await counter.take('usr_a', 2, second(i));
    expect(await counter.take('usr_a', 10, second(5))).toEqual({ allowed: true, limit: 10, remaining: 6, resetAt: second(120) });
    expect(await counter.take('usr_a', 1, second(6))).toEqual({ allowed: false, limit: 1, remaining: 0, resetAt: second(120) });
  });

  it('does not lock anyone out for longer than a window when the clock is set back', async () => {
    const counter = createRateCounter(REQUEST_WINDOWS);
    await counter.take('usr_a', 1, second(3600));
    expect(await counter.take('usr_a', 1, second(0))).toMatchObject({ allowed: true, resetAt: second(120) });
  });

  it('keeps no more windows than it may, and forgets the oldest', async () => {
    const counter = createRateCounter({ ...FAILURE_WINDOWS, maxWindows: 3 });
    for (const address of ['a', 'b', 'c', 'd']) await counter.take(address, 5, second(0));
    expect(await counter.take('d', 5, second(1))).toMatchObject({ remaining: 3 });
    expect(await counter.take('b', 5, second(1))).toMatchObject({ remaining: 3 });
    expect(await counter.take('a', 5, second(1))).toMatchObject({ remaining: 4 });
  });

  it('is what counting every request by hand gives', async () => {
    const request = fc.record({ user: fc.constantFrom('a', 'b', 'c'), limit: fc.integer({ min: 1, max: 6 }), wait: fc.integer({ min: 0, max: 50 }) });
    await fc.assert(fc.asyncProperty(fc.array(request, { maxLength: 60 }), async (requests) => {
      const counter = createRateCounter(REQUEST_WINDOWS);
      const byHand = new Map<string, { from: number; count: number }>();
      let now = 0;
      for (const { user, limit, wait } of requests) {
        now += wait;
        let own = byHand.get(user);
        if (!own || now - own.from >= 120) byHand.set(user, (own = { from: now, count: 0 }));
        own.count += 1;
        expect(await counter.take(user, limit, second(now))).toEqual({
          allowed: own.count <= limit, limit, remaining: Math.max(0, limit - own.count), resetAt: second(own.from + 120),
        });
      }
    }));
  });
});
