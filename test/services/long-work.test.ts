import { inSlices } from '../../src/services/long-work.js';

/** Takes `steps` milliseconds of the thread, in steps of one. */
function* work(steps: number, done: string[] = [], name = ''): Generator<void, string, void> {
  for (let step = 0; step < steps; step += 1) {
    const end = performance.now() + 1;
    while (performance.now() < end);
    yield;
  }
  done.push(name);
  return name;
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(turn);

test('short work is done at once', () => {
  expect(inSlices(work(0, [], 'short'))).toBe('short');
});

test('long work leaves turns of the event loop to others', async () => {
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns += 1) await turn();
  })();
  const result = inSlices(work(100, [], 'long'));
  expect(result).toBeInstanceOf(Promise);
  expect(await result).toBe('long');
  isOver = true;
  await counting;
  expect(turns).toBeGreaterThan(5);
});

test('shorter work is done before the rest of longer work', async () => {
  const done: string[] = [];
  await Promise.all([inSlices(work(100, done, 'long')), inSlices(work(20, done, 'short'))]);
  expect(done).toEqual(['short', 'long']);
});

test('work that fails rejects, now or later', async () => {
  function* failing(steps: number): Generator<void, string, void> {
    yield* work(steps);
    throw new Error('failed');
  }
  expect(() => inSlices(failing(0))).toThrow('failed');
  await turn();
  await expect(inSlices(failing(50))).rejects.toThrow('failed');
});
