import { availableParallelism } from 'node:os';

/** Tests are compiled to CommonJS by swc, which compiles decorators like tsc. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // They run other test files: see jest.groups.config.js.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/groups/'],
  // Maps fast-check to its configuration, the .js specifiers of the sources to .ts, and Prisma's query
  // compiler to its CommonJS build.
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/test/setup/fast-check.cjs',
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
  // These packages are published as ES modules only, or load modules with import().
  transformIgnorePatterns: [
    '/node_modules/(?!(masto|change-case|events-to-async|@opentelemetry/otlp-exporter-base)/)',
  ],
  globalSetup: '<rootDir>/test/setup/global-setup.ts',
  globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
  setupFiles: [
    '<rootDir>/test/setup/node-env.ts',
    'reflect-metadata',
    '<rootDir>/test/setup/described-fetch.ts',
  ],
  setupFilesAfterEnv: ['<rootDir>/test/setup/one-copy.ts'],
  testSequencer: '<rootDir>/test/setup/test-sequencer.mjs',
  testTimeout: 120_000,
  // Tests spend a quarter of their time waiting, for servers, leases and outages.
  maxWorkers: availableParallelism() + 1,
};
