import { createAdmissionQueue } from '../../../src/http/admission/admission-queue.js';

/** A queue of named requests that records what happens to them. */
function aQueue(limits: Parameters<typeof createAdmissionQueue>[0]) {
  const queue = createAdmissionQueue(limits);
  const events: string[] = [];
  return {
    events,
    /** A name such as `a 1`: the first word is the client. */
    acquire: (name: string): (() => void) =>
      queue.acquire({
        client: [name.split(' ')[0]!],
        start: () => events.push(`${name} starts`),
        reject: (reason) => events.push(`${name} is rejected: ${reason}`),
      }),
  };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('the admission queue', () => {
  it('starts as many requests as there are places', () => {
    const { acquire, events } = aQueue({ places: 2 });
    ['a', 'b', 'c'].forEach(acquire);
    expect(events).toEqual(['a starts', 'b starts']);
  });

  it('starts the oldest queued request for each one that ends, and no more', () => {
    const { acquire, events } = aQueue({ places: 1 });
    const [releaseA] = ['a', 'b', 'c'].map(acquire);
    releaseA!();
    releaseA!(); // further calls do nothing
    expect(events).toEqual(['a starts', 'b starts']);
  });

  it('removes a request whose client disconnects while it is queued', () => {
    const { acquire, events } = aQueue({ places: 1 });
    const [releaseA, releaseB, releaseC] = ['a', 'b', 'c'].map(acquire);
    releaseC!();
    releaseA!();
    releaseB!();
    acquire('d');
    expect(events).toEqual(['a starts', 'b starts', 'd starts']);
  });

  it('rejects a request after 1.5 s, which then holds no place', () => {
    const { acquire, events } = aQueue({ places: 1 });
    const [releaseA, releaseB] = ['a', 'b'].map(acquire);
    jest.advanceTimersByTime(300);
    acquire('c');
    expect(events).toEqual(['a starts']);
    jest.advanceTimersByTime(1_250);
    releaseB!();
    expect(events).toEqual(['a starts', 'b is rejected: overloaded']);
    releaseA!();
    acquire('d');
    expect(events).toEqual(['a starts', 'b is rejected: overloaded', 'c starts']);
  });

  it('queues eight requests per place, and rejects any more', () => {
    const { acquire, events } = aQueue({ places: 2 });
    const [, , queued] = Array.from({ length: 2 + 8 * 2 }, (_, index) => acquire(String(index)));
    acquire('late')();
    expect(events).toEqual(['0 starts', '1 starts', 'late is rejected: overloaded']);
    queued!();
    acquire('later');
    expect(events).toHaveLength(3);
  });

  describe('with places for each client', () => {
    it('lets others pass a client that has all its places', () => {
      const { acquire, events } = aQueue({ places: 3, placesPerClient: 1 });
      const [releaseFirst] = ['a 1', 'a 2', 'b 1', 'b 2', 'c 1'].map(acquire);
      expect(events).toEqual(['a 1 starts', 'b 1 starts', 'c 1 starts']);
      releaseFirst!();
      expect(events.slice(3)).toEqual(['a 2 starts']);
    });

    it('rejects what a client has too much of, and says so', () => {
      const { acquire, events } = aQueue({ places: 2, placesPerClient: 1 });
      Array.from({ length: 1 + 8 + 1 }, (_, index) => acquire(`a ${index}`));
      acquire('b');
      expect(events).toEqual(['a 0 starts', 'a 9 is rejected: client limit', 'b starts']);
      events.length = 0;
      jest.advanceTimersByTime(1_600);
      expect(events).toEqual(
        Array.from({ length: 8 }, (_, index) => `a ${index + 1} is rejected: client limit`),
      );
    });
  });
});
