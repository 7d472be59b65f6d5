import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

/** A program that tests run for real. */
export interface Program {
  /** Whose tests need it, for people. */
  readonly whose: string;
  /** It goes by any of these names. */
  readonly names: readonly string[];
  /** Debian's and Ubuntu's package of it. */
  readonly debianPackage: string;
  /** What else helps, beside installing it. */
  readonly or?: string;
}

/**
 * The program on PATH; else, as root on Debian and Ubuntu, the one of the system's package, installed with a line that says so.
 * @throws Error of one line that says what to install
 */
export function findProgram(program: Program): string {
  const file = onPath(program) ?? installed(program);
  if (!file)
    throw new Error(
      `The ${program.whose} tests need ${program.names.join(' or ')} on PATH: install it (on Debian: apt-get install ${program.debianPackage})${program.or ? `, or ${program.or}` : ''}.`,
    );
  return file;
}

/** Debian's own folders for servers are not on every user's PATH. */
const FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin'];

const onPath = ({ names }: Program): string | undefined =>
  names.flatMap((name) => FOLDERS.map((folder) => path.join(folder, name))).find(isExecutable);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** RUNLEVEL: a server's package would start it, and the tests use the program alone. The lock: another test file may be installing too. */
function installed(program: Program): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  process.stderr.write(
    `The ${program.whose} tests need ${program.names[0]}: installing the package ${program.debianPackage} with apt-get.\n`,
  );
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args: string[]): boolean =>
    spawnSync('apt-get', ['-y', '-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env,
      stdio: 'ignore',
      timeout: 300_000,
    }).status === 0;
  const install = (): boolean => apt('install', '--no-install-recommends', program.debianPackage);
  return install() || (apt('update') && install()) ? onPath(program) : undefined;
}
