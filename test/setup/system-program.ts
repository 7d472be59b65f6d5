import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** An external program that tests run. */
export interface SystemProgram {
  /** The tests that need it, for messages. */
  readonly neededBy: string;
  /** Any of these names. */
  readonly names: readonly string[];
  /** Package in Debian and Ubuntu. */
  readonly debianPackage: string;
  /** An alternative to installing it. */
  readonly alternative?: string;
}

/**
 * Finds a program on PATH. As root on Debian and Ubuntu it is installed if missing, and that is
 * printed.
 * @throws Error of one line with the package to install
 */
export function findProgram(program: SystemProgram): string {
  const file = findOnPath(program) ?? installWithApt(program);
  if (!file)
    throw new Error(
      `The ${program.neededBy} tests need ${program.names.join(' or ')} on PATH: install it (on Debian: apt-get install ${program.debianPackage})${program.alternative ? `, or ${program.alternative}` : ''}.`,
    );
  return file;
}

const DEBIAN_POSTGRES = '/usr/lib/postgresql';
/** PATH and the folders of Debian's servers, which are not on every user's PATH. */
const searchPath = (): string[] => [
  ...(process.env.PATH ?? '').split(path.delimiter),
  '/usr/sbin',
  ...(existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : []).map((version) =>
    path.join(DEBIAN_POSTGRES, version, 'bin'),
  ),
];

const findOnPath = ({ names }: SystemProgram): string | undefined =>
  names.flatMap((name) => searchPath().map((folder) => path.join(folder, name))).find(isExecutable);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * RUNLEVEL=1 keeps the package from starting its server. The lock timeout: another test file may be
 * installing, too.
 */
function installWithApt(program: SystemProgram): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  process.stderr.write(
    `The ${program.neededBy} tests need ${program.names[0]}: installing the package ${program.debianPackage} with apt-get.\n`,
  );
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args: string[]): boolean =>
    spawnSync('apt-get', ['-y', '-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env,
      stdio: 'ignore',
      timeout: 300_000,
    }).status === 0;
  const install = (): boolean => apt('install', '--no-install-recommends', program.debianPackage);
  return install() || (apt('update') && install()) ? findOnPath(program) : undefined;
}
