import path from 'node:path';
import { listGroup } from './suites.mjs';

const TEST = path.resolve(__dirname, '..');
/** Where `jest.setTimeout` keeps its value, one for the file that Jest runs. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** Runs the files of a group one after the other, with the longest of their timeouts. */
export function runGroup(name: string): void {
  const settings = globalThis as { [TIMEOUT]?: number };
  let longest = 0;
  for (const file of listGroup(name)) {
    describe(file, () => {
      require(path.join(TEST, file));
    });
    longest = Math.max(longest, settings[TIMEOUT] ?? 0);
  }
  if (longest > 0) settings[TIMEOUT] = longest;
}
