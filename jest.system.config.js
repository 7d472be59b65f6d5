import { availableParallelism } from 'node:os';
import base from './jest.config.js';
import { LAB, SYSTEM } from './test/setup/suites.mjs';

/** `npm run test:system`: tests that start the built programs, and short forms of the long suites. */
export default {
  ...base,
  // They start whole deployments: more of them at a time would measure each other.
  maxWorkers: availableParallelism(),
  roots: ['<rootDir>/test', '<rootDir>/lab'],
  testMatch: [
    ...SYSTEM.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
    ...LAB.map((folder) => `<rootDir>/lab/${folder}/**/*.test.ts`),
  ],
  testPathIgnorePatterns: [...base.testPathIgnorePatterns, '<rootDir>/test/e2e/pages/'],
};
