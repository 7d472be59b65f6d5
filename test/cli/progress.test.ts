import { setTimeout as sleep } from 'node:timers/promises';
import { progressOn } from '../../src/cli/progress.js';
import { piped } from '../fixtures/operator.js';

const told: string[] = [];
const tell = (line: string): void => void told.push(line);
beforeEach(() => {
  told.length = 0;
});

it('moves a bar where lines can be overwritten, some times a second at most', async () => {
  const progress = progressOn(
    { input: piped(''), out: tell, err: tell, status: tell },
    () => false,
  );
  progress(0, 'nothing taken');
  progress(0.1, 'too soon');
  await sleep(60);
  progress(0.5, '20 taken');
  await sleep(60);
  progress(1, '40 taken');
  expect(told).toEqual([
    '░░░░░░░░░░░░░░░░░░░░░░░░   0 %  nothing taken',
    '████████████░░░░░░░░░░░░  50 %  20 taken',
    '████████████████████████ 100 %  40 taken',
  ]);
});

it('says nothing in the first seconds where lines stay, and nothing at all beside JSON', async () => {
  progressOn({ input: piped(''), out: tell, err: tell }, () => false)(0.5, 'half');
  const beside = progressOn({ input: piped(''), out: tell, err: tell, status: tell }, () => true);
  beside(0.5, 'half');
  await sleep(60);
  beside(1, 'all');
  expect(told).toEqual([]);
});
