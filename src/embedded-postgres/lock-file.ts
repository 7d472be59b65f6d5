import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// far longer than a first start that copies its binaries to a slow disk
const LOCK_TIMEOUT_MS = 120_000;
const POLL_MS = 20;
const INCOMPLETE_LOCK_MS = 2_000; // an incomplete lock that is older than this was left by a crash

interface Holder {
  pid: number;
  started: string;
  token: string;
}

/**
 * Runs `work` while this process holds the lock file, and returns its result. Breaks a lock whose
 * holder is dead, including one whose process ID now belongs to another process.
 * @throws Error of one line if a running process holds the lock for two minutes, or the folder
 * cannot be written
 */
export async function withLockFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  const self: Holder = {
    pid: process.pid,
    started: readProcessStart(process.pid),
    token: randomUUID(),
  };
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  while (!tryCreateLock(file, self)) {
    const holder = readHolder(file);
    if (holder && !isHolderAlive(holder)) await breakLock(file, holder);
    else if (Date.now() > deadline)
      throw new Error(
        `Process ${holder?.pid ?? 'unknown'} has held ${file} for ${LOCK_TIMEOUT_MS / 1000} s: stop it and start again`,
      );
    else await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    if (readHolder(file)?.token === self.token) rmSync(file, { force: true });
  }
}

// Only one process may break a given dead lock, and only while the file still contains it:
// otherwise a slow second process would remove the lock that the first one has just acquired.
function breakLock(file: string, dead: Holder): Promise<void> {
  return withLockFile(`${file}.${dead.token}`, async () => {
    if (readHolder(file)?.token === dead.token) rmSync(file, { force: true });
  });
}

function tryCreateLock(file: string, holder: Holder): boolean {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Windows returns EPERM while a deleted file is still open
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false;
    throw error;
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const text = readFileSync(file, 'utf8');
    if (text.endsWith('}')) return JSON.parse(text) as Holder;
    return age > INCOMPLETE_LOCK_MS ? { pid: 0, started: '', token: 'half-written' } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new Error(
        `${file} belongs to another user: start as that user or as root, or set DATA_DIR`,
      );
    return undefined;
  }
}

function isHolderAlive({ pid, started }: Holder): boolean {
  if (!isProcessRunning(pid)) return false;
  const current = readProcessStart(pid);
  return current === '' || started === '' || current === started;
}

/** Whether a process with this ID exists, regardless of its owner. */
export function isProcessRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Start time of a process, as text for comparison only; empty if the system does not provide it.
 */
function readProcessStart(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\)/s, '')
        .trim()
        .split(' ');
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${afterName[19]}`;
    }
    if (process.platform === 'win32') return '';
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}
