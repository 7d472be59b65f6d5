import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The parent of a process; undefined if the process has ended. */
function parentOf(pid: string): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);

function postmasterOf(dataFolder: string): number | undefined {
  try {
    return Number(readFileSync(path.join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined; // not running
  }
}

/** Sends a signal to each process, in this order. */
function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // has ended meanwhile
    }
  }
}

/** The processes of PostgreSQL, the first of which starts the others. */
export function postgresProcesses(dataFolder: string): number[] {
  const postmaster = postmasterOf(dataFolder);
  return postmaster === undefined ? [] : [postmaster, ...childrenOf(postmaster)];
}

/** Sends a signal to all processes of PostgreSQL. */
export const signalPostgres = (dataFolder: string, signal: NodeJS.Signals): void =>
  signalEach(postgresProcesses(dataFolder), signal);
