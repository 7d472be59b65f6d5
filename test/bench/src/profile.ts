import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deepCursors } from './answers.js';
import { measure, warmUp } from './measure.js';
import type { Operation } from './operations.js';
import type { Options } from './options.js';
import { SERVERS } from './servers.js';
import { withStage, type Scene, type Stage } from './stage.js';
import { figure, textTable } from './text-table.js';

const product = SERVERS[0]!;
const MOST_ROWS = 14;

/** What V8's profiler writes; microseconds, `startTime` on the clock of process.hrtime. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Where the gateway's time goes in each operation: by package of others, room of its own and part of Node.js. */
export const profile = ({ operations, pace, posts }: Options): Promise<void> =>
  withStage(async (stage) => {
    const scene = await stage.scene(posts);
    process.stdout.write(
      `${await stage.machine(scene)}\n${pace.connections} connections, ${pace.seconds} s each\n`,
    );
    for (const operation of operations)
      process.stdout.write(`\n${await profileOf(operation, { stage, scene, pace })}\n`);
  });

async function profileOf(
  operation: Operation,
  { stage, scene, pace }: { stage: Stage; scene: Scene; pace: Options['pace'] },
): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'posts-gateway-profile-'));
  const [program, ...args] = product.command;
  try {
    const running = await stage.start(
      { ...product, command: [program!, '--cpu-prof', `--cpu-prof-dir=${folder}`, ...args] },
      scene,
    );
    const bench = stage.bench(scene, pace);
    const about = { facts: scene.facts, cursors: await deepCursors(running, scene.facts) };
    await warmUp(bench, running, [operation], about);
    const from = microseconds();
    const { perSecond, serverCpu, databaseCpu } = await measure(bench, running, operation, about);
    const to = microseconds();
    await running.stop();
    const shares = sharesOf(readProfile(folder), from, to);
    const rows = shares
      .slice(0, MOST_ROWS)
      .map(({ part, share }) => [
        part,
        `${figure(share * 100, 1)} %`,
        figure(share * serverCpu * 1000),
      ]);
    return `${operation.name}: ${operation.title}\n${figure(perSecond)} a second under the profiler, CPU ms a request: ${figure(serverCpu, 3)} of the gateway, ${figure(databaseCpu, 3)} of PostgreSQL and Redis\n${textTable(['', 'share', 'µs a request'], rows)}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const microseconds = (): number => Number(process.hrtime.bigint() / 1000n);

/** That of the gateway: its embedded parts would write others. */
function readProfile(folder: string): CpuProfile {
  const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  return JSON.parse(texts.sort((a, b) => b.length - a.length)[0]!) as CpuProfile;
}

/** How much of the time in which something was done each part had, between two moments. */
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

/** `(program)` is native code that no function stands for: reading and writing sockets, for the most part. */
function partOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  if (url === '') return /^\((.+)\)$/.exec(functionName)?.[1] ?? `native ${functionName}`;
  const [, inPackage] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (inPackage) return inPackage;
  const [, room] = /\/dist\/([^/]+)/.exec(url) ?? [];
  return room ? `${room}, own` : url.split('/').slice(0, 2).join('/');
}
