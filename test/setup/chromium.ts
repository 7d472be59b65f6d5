import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const WAIT_FOR_OTHERS = 'DPkg::Lock::Timeout=300'; // another test file may be installing it

/**
 * The Chromium that the browser tests drive: the one on PATH, else (as root, on Debian and Ubuntu) the system's own package.
 * @throws Error of one line that says what to install
 */
export function findChromium(): string {
  return onPath() ?? installed() ?? refuse();
}

const onPath = (): string | undefined =>
  (process.env.PATH ?? '').split(path.delimiter).flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find(isExecutable);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installed(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  process.stderr.write('The browser tests need Chromium: installing the package of that name with apt-get.\n');
  const apt = (...args: string[]) => spawnSync('apt-get', ['-qq', '-o', WAIT_FOR_OTHERS, ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'chromium');
  return onPath();
}

function refuse(): never {
  throw new Error(`The browser tests need Chromium on PATH (one of ${NAMES.join(', ')}): install it, on Debian with \`apt-get install chromium\`.`);
}
