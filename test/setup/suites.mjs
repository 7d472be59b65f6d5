import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TEST = fileURLToPath(new URL('..', import.meta.url));

/**
 * The folders of `npm test`, by the file in test/groups that runs them. The files of a group share
 * their modules: loading the service once for each of 400 files takes longer than running them.
 */
export const GROUPS = {
  apis: ['graphql'],
  parity: ['parity'],
  pages: ['e2e/pages'],
  persistence: ['persistence', 'redis'],
  programs: ['cli', 'demo', 'operations'],
  rest: ['field-reports', 'http', 'jobs', 'mcp', 'media', 'metrics', 'rest'],
  rules: ['architecture', 'composition', 'config', 'domain', 'importers', 'log', 'tools'],
  services: ['networks', 'services', 'webhooks'],
};

/** Test files of these folders that replace a module of Node.js: they run alone. */
export const ALONE = ['webhooks/private-names.test.ts'];

/** The folders of `npm run test:system`, each file with modules of its own. */
export const SYSTEM = [
  'attack',
  'concurrency',
  'conformance',
  'e2e',
  'embedded-postgres',
  'faults',
  'fuzz',
  'matrix',
  'neighbours',
  'outside',
  'processes',
  'publishing',
  'tracing',
];

/** Suites of the lab that need other servers, but no idle machine: test:system runs them, too. */
export const LAB = ['monitoring', 'nginx', 'redis-failover', 'replicas', 'restore', 'storage'];

function testFilesIn(folder) {
  return readdirSync(path.join(TEST, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFilesIn(name);
    return name.endsWith('.test.ts') ? [name] : [];
  });
}

/** The test files below folders of `test`, in the order of their names. */
export const listTestFiles = (folders) => folders.flatMap(testFilesIn).sort();

/** The files that the group of this name runs. */
export const listGroup = (name) =>
  listTestFiles(GROUPS[name]).filter((file) => !ALONE.includes(file));
