import { setTimeout as sleep } from 'node:timers/promises';
import { createPatience } from '../../src/http/load/request-timeouts.js';

interface One {
  readonly name: string;
  readonly startedAt: number;
}

function aHall({ isAnswering }: { isAnswering: () => Promise<boolean> }) {
  const running = new Set<One>();
  const given: string[] = [];
  const patience = createPatience(running, isAnswering, (one) => {
    running.delete(one);
    given.push(one.name);
  });
  return {
    running,
    given,
    begin(name: string, age = 0): One {
      const one = { name, startedAt: performance.now() - age };
      running.add(one);
      patience.watch();
      return one;
    },
  };
}

describe('the patience with requests', () => {
  it('ends for those that are a second old while the database does not answer, and for no younger one', async () => {
    const hall = aHall({ isAnswering: async () => false });
    hall.begin('old', 900);
    hall.begin('young');
    while (hall.given.length === 0) await sleep(10);
    expect([hall.given, [...hall.running].map(({ name }) => name)]).toEqual([['old'], ['young']]);
    hall.running.clear();
  });

  it('does not end while the database answers, however long it takes', async () => {
    let looks = 0;
    const hall = aHall({
      isAnswering: async () => {
        looks += 1;
        return true;
      },
    });
    hall.begin('slow', 20_000);
    while (looks < 2) await sleep(10);
    expect(hall.given).toEqual([]);
    hall.running.clear();
  });

  it('asks nothing for requests that are answered soon', async () => {
    let looks = 0;
    const hall = aHall({
      isAnswering: async () => {
        looks += 1;
        return true;
      },
    });
    hall.running.delete(hall.begin('quick'));
    hall.begin('young');
    await sleep(600);
    expect(looks).toBe(0);
    hall.running.clear();
  });
});
