import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/**
 * Cores of the server and of the load generator. Null unless there are two, and `taskset` to assign
 * them.
 */
export interface Cores {
  readonly server: number;
  readonly load: number;
  /** Number of cores. */
  readonly all: number;
}

function allowedCores(): number[] {
  try {
    const list =
      /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
    return list.split(',').flatMap((range) => {
      const [from = 0, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    });
  } catch {
    return [];
  }
}

export function findCores(): Cores | null {
  const hasTaskset = spawnSync('taskset', ['--version']).status === 0;
  const all = allowedCores();
  const [first, second] = all;
  return hasTaskset && first !== undefined && second !== undefined
    ? { server: first, load: second, all: all.length }
    : null;
}

/** A command line that runs on one core. */
export const pinned = (command: readonly string[], core: number | undefined): string[] =>
  core === undefined ? [...command] : ['taskset', '-c', String(core), ...command];

export const machineLine = (): string => {
  const [cpu] = os.cpus();
  return `${os.availableParallelism()} cores (${cpu?.model.trim() ?? 'unknown'}), ${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()} ${os.release()}, Node.js ${process.version}`;
};
