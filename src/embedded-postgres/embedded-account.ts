import { spawn, spawnSync } from 'node:child_process';

/** The system user the server runs as. */
export interface Account {
  uid: number;
  gid: number;
}

/** How a command ended: its exit code (null: killed or not startable) and all it printed. */
export interface Outcome {
  code: number | null;
  output: string;
}

const PREFERRED_USERS = ['postgres', 'nobody'];
const OWN_USER = 'posts-gateway';
// The first that the system knows makes the user: shadow's tool, then busybox's.
const USER_MAKERS: [string, string[]][] = [
  ['useradd', ['--system', '--user-group', '--no-create-home', OWN_USER]],
  ['adduser', ['-S', '-D', '-H', OWN_USER]],
];

/** True when this process is root, which PostgreSQL refuses to run as. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * The unprivileged accounts root may run the server as, best first; one is made only when none exists.
 * @throws when there is none and none can be made
 */
export function serverAccounts(): Account[] {
  const known = PREFERRED_USERS.flatMap(lookUp);
  if (known.length > 0) return known;
  for (const [command, args] of USER_MAKERS) spawnSync(command, args, { stdio: 'ignore' });
  const made = lookUp(OWN_USER);
  if (made.length > 0) return made;
  throw new Error(
    'PostgreSQL does not run as root and there is no user postgres or nobody to run it as: start as an ordinary user, or set DATABASE_URL',
  );
}

function lookUp(name: string): Account[] {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) | 0 : 0; // macOS writes nobody's -2 as 4294967294
  });
  return uid && gid ? [{ uid, gid }] : [];
}

/**
 * Runs a command to its end as `account` (as ourselves without one), in a session of its own:
 * Ctrl-C in our terminal must not reach the server before we have drained.
 */
export function runAs(
  account: Account | undefined,
  cwd: string,
  command: string[],
): Promise<Outcome> {
  // Messages are read, and macOS starts a thread in the postmaster, which then gives up, unless the locale is set.
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
        clearTimeout(patience);
        resolve({ code, output });
      };
      // On Windows the server inherits the pipes and keeps them open for as long as it runs.
      const patience = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        end();
      }, 500);
      child.once('close', end);
    });
  });
}
