import Sequencer from '@jest/test-sequencer';
import { installPackagesOf, suiteOf } from './install-packages.mjs';

/** Installs the packages that the selected test files need, before any of them runs. */
export default class TestSequencer extends Sequencer {
  sort(tests) {
    installPackagesOf(tests.map(({ path }) => suiteOf(path)));
    return super.sort(tests);
  }
}
