import { readFileSync } from 'node:fs';
import type pg from 'pg';

const TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux that Node runs on

/** CPU seconds used by a process and its threads; 0 if unknown. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** Resident memory in MB. */
export function residentMb(pid: number): number {
  try {
    return (
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    );
  } catch {
    return 0;
  }
}

const isPostgres = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres');
  } catch {
    return false;
  }
};

/**
 * Processes of PostgreSQL that serve this database, except for the benchmark's own connections;
 * empty on another machine.
 */
export async function backends(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'bench'",
  );
  return rows.map(({ pid }) => pid).filter(isPostgres);
}

/** Processes of PostgreSQL that work for this database, background processes included. */
export async function serverProcesses(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name <> 'bench'",
  );
  return rows.map(({ pid }) => pid).filter(isPostgres);
}

/** Memory in MB that a process of PostgreSQL has besides the memory that all of them share. */
export function ownMb(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss_Anon:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/**
 * Measures the CPU seconds that processes use from now on. Processes that start meanwhile are counted
 * from their start. Those that end are not counted: connections are closed after they have been
 * idle, so they have used little.
 * @returns a function that returns the CPU seconds until then
 */
export async function measureCpu(
  findProcesses: () => readonly number[] | Promise<readonly number[]>,
): Promise<() => Promise<number>> {
  const before = new Map((await findProcesses()).map((pid) => [pid, cpuSeconds(pid)]));
  return async () => {
    const used = (pid: number): number => cpuSeconds(pid) - (before.get(pid) ?? 0);
    return (await findProcesses()).reduce((sum, pid) => sum + Math.max(0, used(pid)), 0);
  };
}
