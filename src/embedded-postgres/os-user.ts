import { spawn, spawnSync } from 'node:child_process';

/** The system user the server runs as. */
export interface SystemAccount {
  uid: number;
  gid: number;
}

/** Result of a command: its exit code (null: killed or not started) and its combined output. */
export interface CommandResult {
  code: number | null;
  output: string;
}

const PREFERRED_USERS = ['postgres', 'nobody'];
const SERVICE_USER = 'posts-gateway';
// Tried in order: the command of shadow, then of busybox.
const CREATE_USER_COMMANDS: [string, string[]][] = [
  ['useradd', ['--system', '--user-group', '--no-create-home', SERVICE_USER]],
  ['adduser', ['-S', '-D', '-H', SERVICE_USER]],
];

/** Whether this process runs as root, under which PostgreSQL refuses to run. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * The unprivileged accounts under which root can run the server, in order of preference. Creates
 * one only if none exists.
 * @throws Error of one line if there is none and none can be created
 */
export function findServerAccounts(): SystemAccount[] {
  const existing = PREFERRED_USERS.flatMap(findAccount);
  if (existing.length > 0) return existing;
  for (const [command, args] of CREATE_USER_COMMANDS) spawnSync(command, args, { stdio: 'ignore' });
  const created = findAccount(SERVICE_USER);
  if (created.length > 0) return created;
  throw new Error(
    'PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as: start as an ordinary user, or set DATABASE_URL',
  );
}

function findAccount(name: string): SystemAccount[] {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) | 0 : 0; // macOS writes nobody's -2 as 4294967294
  });
  return uid && gid ? [{ uid, gid }] : [];
}

/**
 * Runs a command as `account` (by default as this process' user), in a separate session: Ctrl-C in
 * the terminal must not reach the server before this process has drained.
 */
export function runAs(
  account: SystemAccount | undefined,
  cwd: string,
  command: string[],
): Promise<CommandResult> {
  // English messages are parsed; and without a locale, macOS starts a thread in the postmaster,
  // which then exits.
  const [file = '', ...args] =
    process.platform === 'win32' ? command : ['/usr/bin/env', 'LC_ALL=C', ...command];
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...account,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('exit', (code) => {
      const end = (): void => {
        clearTimeout(pipeTimeout);
        resolve({ code, output });
      };
      // On Windows the server inherits the pipes and keeps them open for as long as it runs.
      const pipeTimeout = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        end();
      }, 500);
      child.once('close', end);
    });
  });
}
