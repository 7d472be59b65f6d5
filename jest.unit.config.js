import base from './jest.config.js';
import { listUnitTests } from './test/setup/unit-tests.mjs';

/**
 * Tests that need no server, no PostgreSQL and no build: `npm run test:unit`, which takes under 20
 * seconds.
 */
const { globalSetup: _globalSetup, globalTeardown: _globalTeardown, ...shared } = base;

export default {
  ...shared,
  testMatch: listUnitTests(),
  setupFiles: ['<rootDir>/test/setup/node-env.ts', 'reflect-metadata'],
};
