import { onShutdown } from '../../src/composition/process-lifetime.js';

let exited: jest.Mock;
let errors: string[];
beforeEach(() => {
  jest.useFakeTimers();
  exited = jest.fn();
  errors = [];
  jest.spyOn(process, 'exit').mockImplementation(exited as never);
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => errors.push(String(text)) > 0);
});
afterEach(() => {
  process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('exits with 0 when shutting down is done, once for several signals', async () => {
  const shutDown = jest.fn(() => Promise.resolve());
  const state = onShutdown({ isUnderNpm: false, deadlineMs: 500 }, shutDown);
  expect(state.isStopping).toBe(false);
  process.emit('SIGTERM');
  process.emit('SIGINT');
  await jest.advanceTimersByTimeAsync(0);
  expect([state.isStopping, shutDown.mock.calls.length]).toEqual([true, 1]);
  expect([exited.mock.calls, errors]).toEqual([[[0]], []]);
});

it('exits with 1 and says so if shutting down takes longer than the deadline', async () => {
  onShutdown({ isUnderNpm: false, deadlineMs: 1_500 }, () => new Promise(() => {}));
  process.emit('SIGTERM');
  await jest.advanceTimersByTimeAsync(1_499);
  expect([exited.mock.calls, errors]).toEqual([[], []]);
  await jest.advanceTimersByTimeAsync(1);
  expect(exited.mock.calls).toEqual([[1]]);
  expect(errors).toEqual([
    'posts-gateway: shutting down took longer than 1.5 s. The process exits. Running requests get no response; jobs continue in another process or at the next start.\n',
  ]);
});
