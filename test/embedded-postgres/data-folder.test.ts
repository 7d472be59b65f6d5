import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openDataFolder } from '../../src/embedded-postgres/data-folder.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

it('makes the folder and those above it, and takes one that is there', () => {
  const wanted = path.join(folder, 'a', 'b', 'c');
  expect(openDataFolder(wanted)).toBe(wanted);
  expect(statSync(wanted).isDirectory()).toBe(true);
  expect(openDataFolder(wanted)).toBe(wanted);
});

it.each([
  ['a file', () => path.join(folder, 'file'), 'ENOTDIR'],
  ['in a file', () => path.join(folder, 'file', 'data'), 'ENOTDIR'],
  ...(existsSync('/proc/self')
    ? [['where nobody makes folders', () => '/proc/data', 'ENOENT'] as const]
    : []),
] as const)('says of %s in one line that it cannot be used', (_, place, code) => {
  writeFileSync(path.join(folder, 'file'), '');
  expect(() => openDataFolder(place())).toThrow(
    `The data folder ${place()} cannot be made or written (${code}): set DATA_DIR to one that can`,
  );
});
