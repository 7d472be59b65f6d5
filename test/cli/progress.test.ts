import { createProgressReporter } from '../../src/cli/terminal.js';
import { piped } from '../fixtures/operator.js';

const lines: string[] = [];
const print = (line: string): void => void lines.push(line);
beforeEach(() => {
  lines.length = 0;
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('moves a bar if the terminal can overwrite lines, a limited number of times per second', () => {
  const progress = createProgressReporter(
    { input: piped(''), out: print, err: print, status: print },
    () => false,
  );
  progress(0, 'nothing imported');
  progress(0.1, 'too soon');
  jest.advanceTimersByTime(60);
  progress(0.5, '20 imported');
  jest.advanceTimersByTime(60);
  progress(1, '40 imported');
  expect(lines).toEqual([
    '░░░░░░░░░░░░░░░░░░░░░░░░   0 %  nothing imported',
    '████████████░░░░░░░░░░░░  50 %  20 imported',
    '████████████████████████ 100 %  40 imported',
  ]);
});

it('prints nothing in the first seconds without a terminal, and nothing with --json', () => {
  createProgressReporter({ input: piped(''), out: print, err: print }, () => false)(0.5, 'half');
  const withJson = createProgressReporter(
    { input: piped(''), out: print, err: print, status: print },
    () => true,
  );
  withJson(0.5, 'half');
  jest.advanceTimersByTime(60);
  withJson(1, 'all');
  expect(lines).toEqual([]);
});
