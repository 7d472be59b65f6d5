import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openDataFolder } from '../../src/embedded-postgres/data-folder.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

it('creates the folder and its parents, and accepts an existing one', () => {
  const dataDir = path.join(folder, 'a', 'b', 'c');
  expect(openDataFolder(dataDir)).toBe(dataDir);
  expect(statSync(dataDir).isDirectory()).toBe(true);
  expect(openDataFolder(dataDir)).toBe(dataDir);
});

it.each([
  ['a file', () => path.join(folder, 'file'), 'ENOTDIR'],
  ['in a file', () => path.join(folder, 'file', 'data'), 'ENOTDIR'],
  ...(existsSync('/proc/self')
    ? [['where no folder can be created', () => '/proc/data', 'ENOENT'] as const]
    : []),
] as const)('reports in one line that it cannot use a folder: %s', (_, pathOf, code) => {
  writeFileSync(path.join(folder, 'file'), '');
  expect(() => openDataFolder(pathOf())).toThrow(
    `Cannot create or write the data folder ${pathOf()} (${code}): set DATA_DIR to a writable folder`,
  );
});
