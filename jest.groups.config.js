import base from './jest.config.js';
import { ALONE, GROUPS } from './test/setup/suites.mjs';

/** `npm test`: the files of test/groups, each of which runs the tests of several folders. */
export default {
  ...base,
  testMatch: [
    ...Object.keys(GROUPS).map((name) => `<rootDir>/test/groups/${name}.test.ts`),
    ...ALONE.map((file) => `<rootDir>/test/${file}`),
  ],
  testPathIgnorePatterns: ['/node_modules/'],
};
