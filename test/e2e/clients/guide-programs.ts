import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { removeFolder, temporaryFolder } from '../../setup/test-server.js';
import type { StartedDemo } from '../started-demo.js';

const run = promisify(execFile);
const PACKAGES = path.resolve(__dirname, '../node_modules');

/** A folder in which programs of the guides run, with the packages of the suite. */
export interface ProgramFolder {
  readonly path: string;
  /**
   * Runs a program as a separate file, with the demo's key. Returns its output by lines.
   * @throws Error if it fails; also if it prints a warning
   */
  outputOf(name: string, program: string): Promise<string[]>;
  remove(): void;
}

/** `gateway` is available after it has started. */
export function openProgramFolder(gateway: () => Pick<StartedDemo, 'url' | 'demo'>): ProgramFolder {
  const folder = temporaryFolder();
  symlinkSync(PACKAGES, path.join(folder, 'node_modules'), 'junction');
  return {
    path: folder,
    async outputOf(name, program) {
      const { url, demo } = gateway();
      writeFileSync(path.join(folder, `${name}.mjs`), program);
      const env = { ...process.env, HOST: url, KEY: demo.apiKey, WORKSPACE: demo.workspaceId };
      const { stdout, stderr } = await run(process.execPath, [`${name}.mjs`], { cwd: folder, env });
      expect(stderr).toBe('');
      return stdout.trimEnd().split('\n');
    },
    remove: () => removeFolder(folder),
  };
}
