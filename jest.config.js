import { availableParallelism } from 'node:os';

/** Tests run as CommonJS through swc, which compiles the decorators as tsc does. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Minutes of load, on cores that nothing else is to use: `npm run test:load`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/load/'],
  // The sources' .js specifiers; and Prisma's query compiler, which comes in both forms, as CommonJS.
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^(@prisma/client/runtime/.*)\\.mjs$': '$1.js',
  },
  transform: {
    '^.+\\.(t|j|mj)s$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: {
            legacyDecorator: true,
            decoratorMetadata: false,
            useDefineForClassFields: false,
          },
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  // Clients of networks that come as ES modules only.
  transformIgnorePatterns: ['/node_modules/(?!(masto|change-case|events-to-async)/)'],
  globalSetup: '<rootDir>/test/setup/global-setup.ts',
  globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
  setupFiles: ['reflect-metadata', '<rootDir>/test/setup/described-fetch.ts'],
  testTimeout: 30_000,
  // Many tests wait for servers of theirs: on two cores, too, two at once are faster than one after the other.
  maxWorkers: Math.max(2, availableParallelism() - 1),
};
