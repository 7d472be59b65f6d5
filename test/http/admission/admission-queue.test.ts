import { setImmediate as tick } from 'node:timers/promises';
import { createAdmissionQueue } from '../../../src/http/admission/admission-queue.js';

/** A queue of named requests that records what happens to them. */
function aQueue(maxConcurrentRequests: number) {
  const queue = createAdmissionQueue(maxConcurrentRequests);
  const events: string[] = [];
  return {
    events,
    makeWay: queue.connectionAccepted,
    acquire: (name: string): (() => void) =>
      queue.acquire({
        start: () => events.push(`${name} starts`),
        reject: () => events.push(`${name} is rejected`),
      }),
  };
}

// Not the ticks of the event loop, which the queue follows.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => jest.useRealTimers());

describe('the admission queue', () => {
  it('starts as many requests as there are permits', () => {
    const { acquire, events } = aQueue(2);
    ['a', 'b', 'c'].forEach(acquire);
    expect(events).toEqual(['a starts', 'b starts']);
  });

  it('starts the oldest queued request for each one that ends, and no more', () => {
    const { acquire, events } = aQueue(1);
    const [releaseA] = ['a', 'b', 'c'].map(acquire);
    releaseA!();
    expect(events).toEqual(['a starts', 'b starts']);
  });

  it('is FIFO, however long requests wait, as long as it does not overflow', () => {
    const { acquire, events } = aQueue(1);
    const [releaseA] = ['a', 'b'].map(acquire);
    jest.advanceTimersByTime(400);
    acquire('c');
    releaseA!();
    expect(events).toEqual(['a starts', 'b starts']);
  });

  it('is LIFO once a request has waited for 300 ms in an overflowing queue, until the queue is empty', () => {
    const { acquire, events } = aQueue(1);
    const releases = Array.from({ length: 1 + 8 + 1 }, (_, index) => acquire(String(index)));
    jest.advanceTimersByTime(400);
    expect(events.splice(0)).toEqual(['0 starts', '1 is rejected']);
    for (const at of [0, 9, 8, 7, 6, 5, 4, 3]) releases[at]!();
    expect(events.splice(0)).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map((name) => `${name} starts`));
    ['a', 'b'].forEach(acquire);
    jest.advanceTimersByTime(400);
    releases[2]!();
    expect(events).toEqual(['a starts']);
  });

  it('removes a request whose client disconnects while it is queued', () => {
    const { acquire, events } = aQueue(1);
    const [releaseA, releaseB, releaseC] = ['a', 'b', 'c'].map(acquire);
    releaseC!();
    releaseA!();
    releaseB!();
    acquire('d');
    expect(events).toEqual(['a starts', 'b starts', 'd starts']);
  });

  it('rejects a request after 1.5 s, which then holds no permit', () => {
    const { acquire, events } = aQueue(1);
    const [releaseA, releaseB] = ['a', 'b'].map(acquire);
    jest.advanceTimersByTime(300);
    acquire('c');
    expect(events).toEqual(['a starts']);
    jest.advanceTimersByTime(1_250);
    releaseB!();
    expect(events).toEqual(['a starts', 'b is rejected']);
    releaseA!();
    acquire('d');
    expect(events).toEqual(['a starts', 'b is rejected', 'c starts']);
  });

  it('queues eight requests per permit, and rejects the oldest when it overflows', () => {
    const { acquire, events } = aQueue(2);
    Array.from({ length: 2 + 8 * 2 }, (_, index) => acquire(String(index)));
    expect(events).toEqual(['0 starts', '1 starts']);
    const release = acquire('late');
    expect(events).toEqual(['0 starts', '1 starts', '2 is rejected']);
    release();
    acquire('later');
    expect(events).toHaveLength(3);
  });

  it('starts nothing in a tick that accepted a connection, and afterwards all it has permits for', async () => {
    const { acquire, makeWay, events } = aQueue(2);
    const releaseA = acquire('a');
    makeWay();
    ['b', 'c', 'd'].forEach(acquire);
    releaseA();
    await tick();
    expect(events).toEqual(['a starts']);
    await tick();
    await tick();
    expect(events).toEqual(['a starts', 'b starts', 'c starts']);
  });

  it('starts one request per eight ticks that accept connections', async () => {
    const { acquire, makeWay, events } = aQueue(100);
    makeWay();
    Array.from({ length: 30 }, (_, index) => acquire(String(index)));
    for (let ticks = 0; ticks < 80; ticks += 1) {
      makeWay();
      await tick();
    }
    expect(events.length).toBeGreaterThanOrEqual(9);
    expect(events.length).toBeLessThanOrEqual(10);
  });
});
