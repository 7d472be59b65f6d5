import { createRateCounter } from '../../src/redis/in-memory-rate-counter.js';

const second = (seconds: number): Date => new Date(Date.UTC(2026, 0) + seconds * 1000);

describe('createRateCounter', () => {
  it('opens a window with the first of each key, and the next one when that is over', () => {
    const counter = createRateCounter({ length: 120_000, maxWindows: 10 });
    const take = (key: string, at: number) => {
      const { count, resetAt } = counter.take(key, second(at));
      return [count, new Date(resetAt)];
    };
    expect(take('usr_a', 0)).toEqual([1, second(120)]);
    expect(take('usr_b', 1)).toEqual([1, second(121)]);
    expect(take('usr_a', 119.999)).toEqual([2, second(120)]);
    expect(take('usr_a', 120)).toEqual([1, second(240)]);
    expect(take('usr_b', 120)).toEqual([2, second(121)]);
  });

  it('keeps no more windows than it may, and forgets the oldest', () => {
    const counter = createRateCounter({ length: 60_000, maxWindows: 3 });
    for (const address of ['a', 'b', 'c', 'd']) counter.take(address, second(0));
    expect(counter.take('d', second(1)).count).toBe(2);
    expect(counter.take('b', second(1)).count).toBe(2);
    expect(counter.take('a', second(1)).count).toBe(1);
  });

  it('goes on from what was counted elsewhere', () => {
    const counter = createRateCounter({ length: 120_000, maxWindows: 2 });
    const seen = (count: number, at: number) => ({
      count,
      resetAt: second(at + 120).getTime(),
      now: second(at).getTime(),
    });
    counter.adopt('a', seen(7, 0));
    counter.adopt('a', seen(9, 0));
    expect(counter.take('a', second(119))).toMatchObject({
      count: 10,
      resetAt: second(120).getTime(),
    });
    expect(counter.take('a', second(120))).toMatchObject({
      count: 1,
      resetAt: second(240).getTime(),
    });
    counter.adopt('b', seen(5, 121));
    counter.adopt('c', seen(5, 121));
    expect([
      counter.take('c', second(122)).count,
      counter.take('b', second(122)).count,
      counter.take('a', second(122)).count,
    ]).toEqual([6, 6, 1]);
  });

  it('forgets windows that are over, however many may be kept', () => {
    const counter = createRateCounter({ length: 60_000, maxWindows: 10 });
    counter.take('a', second(0));
    counter.take('b', second(60));
    expect(counter.take('a', second(0)).count).toBe(1);
  });
});
