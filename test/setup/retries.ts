import { suite } from './suite.js';

/**
 * A test that fails is run once more at the end of its file, and Jest prints the first error: on a
 * busy machine, one of thousands of tests that wait for other processes can fail by chance. In
 * these places a single violation of a guarantee is a finding, so their tests are run once only.
 */
const RUN_ONCE =
  /\/test\/((attack|concurrency|faults|fuzz|matrix|publishing|restore)\/|replicas\/stale-reads)/;

if (suite.length === 'short' && !RUN_ONCE.test(expect.getState().testPath ?? ''))
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
