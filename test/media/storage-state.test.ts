import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFolderStorage } from '../../src/media/folder-storage.js';
import { createStorageCheck, readStorageState } from '../../src/media/storage-state.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  spawnSync('umount', [folder]);
  removeFolder(folder);
});

/** Mounts a file system on the folder. False if this user may not. */
const mount = (options: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0;
const probe = temporaryFolder();
const mayMount = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', probe]).status === 0;
spawnSync('umount', [probe]);
removeFolder(probe);
const ifMayMount = mayMount ? it : it.skip;

it('tells a folder that can be written from one that is missing, and creates it for a gateway', async () => {
  const incoming = path.join(folder, 'media', 'incoming');
  expect(await readStorageState(incoming, null)).toBe('missing');
  expect(await createStorageCheck(incoming, null)()).toBe('ok');
  expect(await readStorageState(incoming, null)).toBe('ok');
});

it('tells that a file is in the place of the folder', async () => {
  const file = path.join(folder, 'media');
  writeFileSync(file, '');
  expect(await createStorageCheck(path.join(file, 'incoming'), null)()).toBe('unavailable');
});

ifMayMount('tells that no file of the largest size fits', async () => {
  mount('size=1m');
  expect(await readStorageState(folder, null)).toBe('full');
});

ifMayMount('tells that the file system is read-only', async () => {
  mount('ro');
  expect(await readStorageState(folder, null)).toBe('read_only');
  expect(await createStorageCheck(path.join(folder, 'incoming'), null)()).toBe('read_only');
});

it('tells that the bucket does not answer, whatever the folder says', async () => {
  const incoming = path.join(folder, 'incoming');
  mkdirSync(incoming);
  const failing = { open: () => Promise.reject(new Error('503')) };
  expect(await readStorageState(incoming, failing)).toBe('unavailable');
  expect(await readStorageState(incoming, createFolderStorage(folder))).toBe('ok');
});
