import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deepCursors } from './responses.js';
import { measure, warmUp } from './measure.js';
import type { Operation } from './operations.js';
import type { Options } from './options.js';
import { SERVERS } from './servers.js';
import {
  withBenchEnvironment,
  type SeededDatabase,
  type BenchEnvironment,
} from './bench-environment.js';
import { figure, textTable } from './text-table.js';

const product = SERVERS[0]!;
const MAX_ROWS = 14;

/** A CPU profile of V8. Times in microseconds; `startTime` is on the clock of process.hrtime. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      /** From 0. */
      readonly lineNumber: number;
    };
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** CPU time of the gateway in each operation, by package, source folder and part of Node.js. */
export const profile = ({ operations, pace, posts }: Options): Promise<void> =>
  withBenchEnvironment(async (environment) => {
    const seeded = await environment.openDatabase(posts);
    process.stdout.write(
      `${await environment.machine(seeded)}\n${pace.connections} connections, ${pace.seconds} s each\n`,
    );
    for (const operation of operations)
      process.stdout.write(`\n${await profileOf(operation, { environment, seeded, pace })}\n`);
  });

async function profileOf(
  operation: Operation,
  {
    environment,
    seeded,
    pace,
  }: { environment: BenchEnvironment; seeded: SeededDatabase; pace: Options['pace'] },
): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'posts-gateway-profile-'));
  const [program, ...args] = product.command;
  try {
    const running = await environment.start(
      { ...product, command: [program!, '--cpu-prof', `--cpu-prof-dir=${folder}`, ...args] },
      seeded,
    );
    const bench = environment.bench(seeded, pace);
    const input = { targets: seeded.targets, cursors: await deepCursors(running, seeded.targets) };
    await warmUp(bench, running, [operation], input);
    const from = microseconds();
    const { perSecond, serverCpu, databaseCpu } = await measure(bench, running, operation, input);
    const to = microseconds();
    await running.stop();
    const shares = sharesOf(readProfile(folder), from, to);
    const rows = shares
      .slice(0, MAX_ROWS)
      .map(({ part, share }) => [
        part,
        `${figure(share * 100, 1)} %`,
        figure(share * serverCpu * 1000),
      ]);
    return `${operation.name}: ${operation.title}\n${figure(perSecond)} per second under the profiler, CPU ms per request: ${figure(serverCpu, 3)} of the gateway, ${figure(databaseCpu, 3)} of PostgreSQL and Redis\n${textTable(['', 'share', 'µs per request'], rows)}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const microseconds = (): number => Number(process.hrtime.bigint() / 1000n);

/** The largest profile is that of the gateway. Its child processes may write others. */
function readProfile(folder: string): CpuProfile {
  const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  return JSON.parse(texts.sort((a, b) => b.length - a.length)[0]!) as CpuProfile;
}

/** Share of each part in the busy time between two moments. */
function sharesOf(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  from: number,
  to: number,
): { part: string; share: number }[] {
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
  const times = new Map<string, number>();
  let now = startTime;
  for (const [index, id] of samples.entries()) {
    now += timeDeltas[index]!;
    const part = parts.get(id)!;
    if (now >= from && now <= to && part !== 'idle')
      times.set(part, (times.get(part) ?? 0) + timeDeltas[index]!);
  }
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .map(([part, time]) => ({ part, share: time / all }))
    .sort((a, b) => b.share - a.share);
}

/** `(program)` is native code outside of functions: mostly reading and writing sockets. */
function partOf({
  functionName,
  url,
  lineNumber,
}: CpuProfile['nodes'][number]['callFrame']): string {
  if (url === '') return /^\((.+)\)$/.exec(functionName)?.[1] ?? `native ${functionName}`;
  if (!url.startsWith('file:')) return url.split('/').slice(0, 2).join('/');
  const module = modulesOf(url)[lineNumber] ?? 'bundle';
  const [, inPackage] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module) ?? [];
  return inPackage ?? module.split('/').slice(0, 2).join('/');
}

const modules = new Map<string, (string | undefined)[]>();

/**
 * The module of each line of a file of the bundle. The bundler writes the path of a module above its
 * code.
 */
function modulesOf(url: string): (string | undefined)[] {
  const known = modules.get(url);
  if (known) return known;
  let current: string | undefined;
  const found = readFileSync(fileURLToPath(url), 'utf8')
    .split('\n')
    .map((line) => (current = /^\s*\/\/ ((?:src|node_modules)\/\S+)$/.exec(line)?.[1] ?? current));
  modules.set(url, found);
  return found;
}
