import path from 'node:path';
import { until, type Started } from './started.js';

/** What a process holds once everything is collected that can be, in MB. */
export interface Memory {
  readonly rss: number;
  readonly heap: number;
}

const MB = 1_048_576;

/** Node as `npm start` runs it, ready to be asked what it holds. */
export const TELLING_NODE: readonly [string, ...string[]] = [
  process.execPath,
  '--max-semi-space-size=64',
  '--expose-gc',
  '--require',
  path.join(__dirname, 'tell-memory.cjs'),
];

/** Lets a process that was started by `TELLING_NODE` collect its garbage, and tell what is left. */
export async function memoryOf(started: Started): Promise<Memory> {
  const told = (): string[] => started.output().match(/^memory .*$/gm) ?? [];
  const before = told().length;
  started.child.kill('SIGUSR2');
  await until(() => told().length > before, started);
  const { rss, heapUsed } = JSON.parse(
    told().at(-1)!.slice('memory '.length),
  ) as NodeJS.MemoryUsage;
  return { rss: Math.round(rss / MB), heap: Math.round(heapUsed / MB) };
}
