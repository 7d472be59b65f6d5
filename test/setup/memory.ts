import path from 'node:path';
import { waitUntil, type StartedProgram } from './started-program.js';

/** Memory of a process after garbage collection, in MB. */
export interface Memory {
  readonly rss: number;
  readonly heap: number;
}

const MB = 1_048_576;

/** Node as `npm start` runs it, with report-memory.cjs. */
export const NODE_WITH_MEMORY_REPORT: readonly [string, ...string[]] = [
  process.execPath,
  '--max-semi-space-size=64',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
  '--expose-gc',
  '--require',
  path.join(__dirname, 'report-memory.cjs'),
];

/** Collects garbage in a process started with `NODE_WITH_MEMORY_REPORT`, and returns its memory. */
export async function memoryOf(started: StartedProgram): Promise<Memory> {
  const reports = (): string[] => started.output().match(/^memory .*$/gm) ?? [];
  const before = reports().length;
  started.child.kill('SIGUSR2');
  await waitUntil(() => reports().length > before, started);
  const { rss, heapUsed } = JSON.parse(
    reports().at(-1)!.slice('memory '.length),
  ) as NodeJS.MemoryUsage;
  return { rss: Math.round(rss / MB), heap: Math.round(heapUsed / MB) };
}
