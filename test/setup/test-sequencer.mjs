import path from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { installPackagesOf, suiteOf } from './install-packages.mjs';
import { GROUPS, listGroup } from './suites.mjs';

/** How many test files a file runs. */
function filesOf(file) {
  const name = path.basename(file, '.test.ts');
  return suiteOf(file) === 'groups' && Object.hasOwn(GROUPS, name) ? listGroup(name).length : 1;
}

export default class TestSequencer extends Sequencer {
  /**
   * Installs the packages that the selected test files need, before any of them runs. The longest
   * files are first; in the first run, when Jest does not know their durations, the largest groups.
   */
  sort(tests) {
    installPackagesOf(tests.map((test) => suiteOf(test.path)));
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    return sorted.sort((a, b) => filesOf(b.path) - filesOf(a.path));
  }
}
