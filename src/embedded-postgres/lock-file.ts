import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 120_000; // a first start that copies its binaries onto a slow disk stays well below
const POLL_MS = 20;
const HALF_WRITTEN_MS = 2_000; // a lock without readable content that is older than this was left by a crash

interface Holder {
  pid: number;
  started: string;
  token: string;
}

/**
 * Runs `work` while this process alone holds the lock file, and gives back what it returns.
 * A lock whose holder is dead (or whose pid now belongs to a later process) is broken.
 * @throws when a living process keeps the lock for two minutes, or the folder cannot be written
 */
export async function withLockFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  const mine: Holder = { pid: process.pid, started: startOf(process.pid), token: randomUUID() };
  const deadline = Date.now() + WAIT_MS;
  while (!create(file, mine)) {
    const holder = readHolder(file);
    if (holder && !isAlive(holder)) await breakLock(file, holder);
    else if (Date.now() > deadline)
      throw new Error(
        `Process ${holder?.pid ?? 'unknown'} has held ${file} for ${WAIT_MS / 1000} s: end it and start again`,
      );
    else await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    if (readHolder(file)?.token === mine.token) rmSync(file, { force: true });
  }
}

// Only one process at a time may break this one dead lock, and only while it is still this one:
// otherwise a slow second breaker would remove the lock that the first has just taken.
function breakLock(file: string, dead: Holder): Promise<void> {
  return withLockFile(`${file}.${dead.token}`, async () => {
    if (readHolder(file)?.token === dead.token) rmSync(file, { force: true });
  });
}

function create(file: string, holder: Holder): boolean {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Windows answers EPERM while a removed file is still open somewhere
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false;
    throw error;
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const text = readFileSync(file, 'utf8');
    if (text.endsWith('}')) return JSON.parse(text) as Holder;
    return age > HALF_WRITTEN_MS ? { pid: 0, started: '', token: 'half-written' } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new Error(
        `${file} belongs to another user: start as that user or as root, or set DATA_DIR`,
      );
    return undefined;
  }
}

function isAlive({ pid, started }: Holder): boolean {
  if (!isRunning(pid)) return false;
  const now = startOf(pid);
  return now === '' || started === '' || now === started;
}

/** True when a process of that id exists, whoever owns it. */
export function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process began, as text that is only compared; empty where the system does not tell. */
function startOf(pid: number): string {
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
