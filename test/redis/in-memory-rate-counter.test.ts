import { createInMemoryRateCounter } from '../../src/redis/in-memory-rate-counter.js';

const second = (seconds: number): Date => new Date(Date.UTC(2026, 0) + seconds * 1000);

describe('createInMemoryRateCounter', () => {
  it('opens a window with the first increment of each key, and the next one after its end', () => {
    const counter = createInMemoryRateCounter({ windowMs: 120_000, maxWindows: 10 });
    const increment = (key: string, at: number) => {
      const { count, resetAt } = counter.increment(key, second(at));
      return [count, new Date(resetAt)];
    };
    expect(increment('usr_a', 0)).toEqual([1, second(120)]);
    expect(increment('usr_b', 1)).toEqual([1, second(121)]);
    expect(increment('usr_a', 119.999)).toEqual([2, second(120)]);
    expect(increment('usr_a', 120)).toEqual([1, second(240)]);
    expect(increment('usr_b', 120)).toEqual([2, second(121)]);
  });

  it('evicts the oldest windows above its limit', () => {
    const counter = createInMemoryRateCounter({ windowMs: 60_000, maxWindows: 3 });
    for (const address of ['a', 'b', 'c', 'd']) counter.increment(address, second(0));
    expect(counter.increment('d', second(1)).count).toBe(2);
    expect(counter.increment('b', second(1)).count).toBe(2);
    expect(counter.increment('a', second(1)).count).toBe(1);
  });

  it('continues from counts of another counter', () => {
    const counter = createInMemoryRateCounter({ windowMs: 120_000, maxWindows: 2 });
    const seen = (count: number, at: number) => ({
      count,
      resetAt: second(at + 120).getTime(),
      now: second(at).getTime(),
    });
    counter.adopt('a', seen(7, 0));
    counter.adopt('a', seen(9, 0));
    expect(counter.increment('a', second(119))).toMatchObject({
      count: 10,
      resetAt: second(120).getTime(),
    });
    expect(counter.increment('a', second(120))).toMatchObject({
      count: 1,
      resetAt: second(240).getTime(),
    });
    counter.adopt('b', seen(5, 121));
    counter.adopt('c', seen(5, 121));
    expect([
      counter.increment('c', second(122)).count,
      counter.increment('b', second(122)).count,
      counter.increment('a', second(122)).count,
    ]).toEqual([6, 6, 1]);
  });

  it('keeps windows that started after a delayed shared count', () => {
    const counter = createInMemoryRateCounter({ windowMs: 120_000, maxWindows: 10 });
    counter.increment('a', second(5));
    const delayed = { count: 1, resetAt: second(120).getTime(), now: second(0).getTime() };
    counter.adopt('b', delayed);
    expect(counter.increment('a', second(5)).count).toBe(2);
  });

  it('finds open windows only', () => {
    const counter = createInMemoryRateCounter({ windowMs: 60_000, maxWindows: 10 });
    counter.increment('a', second(0));
    expect(counter.find('a', second(59))).toMatchObject({
      count: 1,
      resetAt: second(60).getTime(),
    });
    expect(['a', 'b'].map((key) => counter.find(key, second(60)))).toEqual([undefined, undefined]);
  });

  it('evicts expired windows below the limit', () => {
    const counter = createInMemoryRateCounter({ windowMs: 60_000, maxWindows: 10 });
    counter.increment('a', second(0));
    counter.increment('b', second(60));
    expect(counter.increment('a', second(0)).count).toBe(1);
  });
});
