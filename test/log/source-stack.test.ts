import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { printSourcePositionsOfCrashes, toSourceStack } from '../../src/log/source-stack.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

/** A file of a bundle whose second line is line 5 of `src/posts.ts`, and its map. */
const bundled = path.join(folder, 'gateway-abc.js');
writeFileSync(
  `${bundled}.map`,
  JSON.stringify({ version: 3, sources: ['../../src/posts.ts'], names: [], mappings: ';AAIA' }),
);
const url = pathToFileURL(bundled).href;

it('names the sources of the bundle, and keeps other positions', () => {
  const other = 'at query (file:///none/dist/chunks/other.js:1:2)';
  expect(
    toSourceStack(
      `at update (${url}:2:1)\n    at ${url}:2:9\n    at process (node:net:1:1)\n    ${other}`,
    ),
  ).toBe(
    `at update (src/posts.ts:5:1)\n    at src/posts.ts:5:1\n    at process (node:net:1:1)\n    ${other}`,
  );
});

it('names the sources when an error ends the process', () => {
  const before = process.listeners('uncaughtExceptionMonitor');
  printSourcePositionsOfCrashes();
  const [listener] = process
    .listeners('uncaughtExceptionMonitor')
    .filter((candidate) => !before.includes(candidate));
  const error = new Error('Broken');
  error.stack = `Error: Broken\n    at update (${url}:2:1)`;
  listener!(error, 'uncaughtException');
  process.removeListener('uncaughtExceptionMonitor', listener!);
  expect(error.stack).toBe('Error: Broken\n    at update (src/posts.ts:5:1)');
});
