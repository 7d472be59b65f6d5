import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { createWaitingRoom } from '../../src/http/load/admission-queue.js';

/** Requests by name, and what became of them in order. */
function aRoom(mostAtWork: number) {
  const room = createWaitingRoom(mostAtWork);
  const told: string[] = [];
  return {
    told,
    makeWay: room.makeWay,
    enter: (name: string): (() => void) =>
      room.enter({
        begin: () => told.push(`${name} begins`),
        refuse: () => told.push(`${name} is refused`),
      }),
  };
}

describe('the waiting room', () => {
  it('lets in at once as many as may be at work', () => {
    const { enter, told } = aRoom(2);
    ['a', 'b', 'c'].forEach(enter);
    expect(told).toEqual(['a begins', 'b begins']);
  });

  it('lets in who came first as one ends, and never more than one for it', () => {
    const { enter, told } = aRoom(1);
    const [endA] = ['a', 'b', 'c'].map(enter);
    endA!();
    expect(told).toEqual(['a begins', 'b begins']);
  });

  it('lets in who came first however long that was ago, as long as there is room for all', async () => {
    const { enter, told } = aRoom(1);
    const [endA] = ['a', 'b'].map(enter);
    await sleep(400);
    enter('c');
    endA!();
    expect(told).toEqual(['a begins', 'b begins']);
  });

  it('lets in who came last once somebody has waited for 300 ms in a crowd, until that is gone', async () => {
    const { enter, told } = aRoom(1);
    const ends = Array.from({ length: 1 + 8 + 1 }, (_, index) => enter(String(index)));
    await sleep(400);
    expect(told.splice(0)).toEqual(['0 begins', '1 is refused']);
    for (const at of [0, 9, 8, 7, 6, 5, 4, 3]) ends[at]!();
    expect(told.splice(0)).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map((name) => `${name} begins`));
    ['a', 'b'].forEach(enter);
    await sleep(400);
    ends[2]!();
    expect(told).toEqual(['a begins']);
  });

  it('forgets a client that went while it waited', () => {
    const { enter, told } = aRoom(1);
    const [endA, endB, endC] = ['a', 'b', 'c'].map(enter);
    endC!();
    endA!();
    endB!();
    enter('d');
    expect(told).toEqual(['a begins', 'b begins', 'd begins']);
  });

  it('refuses whoever has waited a second and a half, who then takes nobody’s place', async () => {
    const { enter, told } = aRoom(1);
    const [endA, endB] = ['a', 'b'].map(enter);
    await sleep(300);
    enter('c');
    while (told.length < 2) await sleep(10);
    endB!();
    expect(told).toEqual(['a begins', 'b is refused']);
    endA!();
    enter('d');
    expect(told).toEqual(['a begins', 'b is refused', 'c begins']);
  });

  it('has eight places for each that is at work, and refuses whoever has waited longest for one more', () => {
    const { enter, told } = aRoom(2);
    Array.from({ length: 2 + 8 * 2 }, (_, index) => enter(String(index)));
    expect(told).toEqual(['0 begins', '1 begins']);
    const end = enter('late');
    expect(told).toEqual(['0 begins', '1 begins', '2 is refused']);
    end();
    enter('later');
    expect(told).toHaveLength(3);
  });

  it('begins nothing in a turn that took a connection, and then all that there is a place for', async () => {
    const { enter, makeWay, told } = aRoom(2);
    const endA = enter('a');
    makeWay();
    ['b', 'c', 'd'].forEach(enter);
    endA();
    await turn();
    expect(told).toEqual(['a begins']);
    await turn();
    await turn();
    expect(told).toEqual(['a begins', 'b begins', 'c begins']);
  });

  it('begins one in eight turns that took a connection each, however many take one', async () => {
    const { enter, makeWay, told } = aRoom(100);
    makeWay();
    Array.from({ length: 30 }, (_, index) => enter(String(index)));
    for (let turns = 0; turns < 80; turns += 1) {
      makeWay();
      await turn();
    }
    expect(told.length).toBeGreaterThanOrEqual(9);
    expect(told.length).toBeLessThanOrEqual(10);
  });
});
