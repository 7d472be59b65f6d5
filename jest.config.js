import { availableParallelism } from 'node:os';

/** Tests are compiled to CommonJS by swc, which compiles decorators like tsc. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Takes minutes and needs all cores: run it with `npm run test:load`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/load/'],
  // Maps the .js specifiers of the sources to .ts, and Prisma's query compiler to its CommonJS
  // build.
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
  // These clients of networks are published as ES modules only.
  transformIgnorePatterns: ['/node_modules/(?!(masto|change-case|events-to-async)/)'],
  globalSetup: '<rootDir>/test/setup/global-setup.ts',
  globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
  setupFiles: [
    '<rootDir>/test/setup/node-env.ts',
    'reflect-metadata',
    '<rootDir>/test/setup/described-fetch.ts',
  ],
  setupFilesAfterEnv: ['<rootDir>/test/setup/one-copy.ts'],
  testSequencer: '<rootDir>/test/setup/test-sequencer.mjs',
  testTimeout: 30_000,
  // Tests spend much time waiting for their servers, so two workers are faster even on two cores.
  maxWorkers: Math.max(2, availableParallelism() - 1),
};
