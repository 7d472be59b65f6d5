import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Folders with unit tests: rules, use cases and readers of requests. */
const FOLDERS = [
  'test/architecture',
  'test/config',
  'test/domain',
  'test/rest',
  'test/services',
  'test/tools/bench',
];
/** Tests the fetch that the other configuration sets up. */
const EXCLUDED = path.resolve('test/rest/openapi/described.test.ts');
const SETUP = path.resolve('test/setup');

/**
 * Whether a file imports test/setup, directly or through fixtures: what starts servers is there.
 */
function usesSetup(file, visited = new Set()) {
  visited.add(file);
  const specifiers = [...readFileSync(file, 'utf8').matchAll(/\bfrom '(\.[^']+)\.js'/g)];
  return specifiers
    .map(([, specifier]) => `${path.resolve(path.dirname(file), specifier)}.ts`)
    .filter((target) => target.startsWith(path.resolve('test')) && existsSync(target))
    .some(
      (target) => target.startsWith(SETUP) || (!visited.has(target) && usesSetup(target, visited)),
    );
}

/** The test files that need no server, database or build. Run in the root of the repository. */
export const listUnitTests = () =>
  FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => path.resolve(folder, name)),
  ).filter((file) => file !== EXCLUDED && !usesSetup(file));
