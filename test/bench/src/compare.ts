import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answersOf, createComparison, deepCursors } from './answers.js';
import { chartOf } from './chart.js';
import { DIALECTS } from './dialects.js';
import { measure, warmUp, type Measurement } from './measure.js';
import type { Operation } from './operations.js';
import type { Options } from './options.js';
import { ROOT } from './product.js';
import { tell } from './progress.js';
import { reportOf } from './report.js';
import { median, ratiosOf, type Standing } from './results.js';
import type { RunningServer } from './running-server.js';
import type { Server } from './servers.js';
import { withStage, type Scene, type Stage } from './stage.js';
import { residentMb } from './usage.js';

/** Compares the servers: the same answers first, then rounds in turn. */
export const compare = (options: Options): Promise<void> =>
  withStage(async (stage) => {
    const scene = await stage.scene(options.posts);
    const run = { options, stage, scene };
    const cursors = await assertSameAnswers(run);
    const { measurements, standings } = await rounds(run, cursors);
    const context = await contextLines(run);
    process.stdout.write(`${context}\n\n${reportOf(measurements, standings)}\n`);
    if (options.chart) drawChart(measurements, context);
    if (options.json)
      process.stdout.write(`${JSON.stringify({ ratios: ratiosOf(measurements) })}\n`);
  });

interface Run {
  readonly options: Options;
  readonly stage: Stage;
  readonly scene: Scene;
}
type Cursors = Readonly<Record<string, string>>;

/** One server at a time, with the operations that it answers. */
async function withServer(
  { options, stage, scene }: Run,
  server: Server,
  work: (running: RunningServer, operations: readonly Operation[]) => Promise<void>,
): Promise<void> {
  const operations = options.operations.filter(({ door }) => server.doors.includes(door));
  if (operations.length === 0) return;
  const running = await stage.start(server, scene);
  await work(running, operations);
  await running.stop();
}

/** Every server is asked the same; gives the cursors that each has for the deep pages. */
async function assertSameAnswers(run: Run): Promise<Map<string, Cursors>> {
  const { database, facts } = run.scene;
  const cursors = new Map<string, Cursors>();
  const compareWith = createComparison();
  for (const server of run.options.servers) {
    await withServer(run, server, async (running, operations) => {
      tell(`Comparing answers: ${server.name}`);
      cursors.set(
        server.name,
        server.doors.includes('graphql') ? await deepCursors(running, facts) : {},
      );
      const asking = {
        facts,
        dialect: DIALECTS[server.dialect],
        cursors: cursors.get(server.name)!,
      };
      for (const operation of operations)
        compareWith(
          server.name,
          operation.name,
          await answersOf(running, operation, asking, database.pool),
        );
    });
  }
  return cursors;
}

/** Each round takes every server in turn; the next begins with another one, so that none is always first. */
async function rounds(
  run: Run,
  cursors: ReadonlyMap<string, Cursors>,
): Promise<{ measurements: Measurement[]; standings: Standing[] }> {
  const { options, stage, scene } = run;
  const bench = stage.bench(scene, options.pace);
  const measurements: Measurement[] = [];
  const seen: Standing[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const first = round % options.servers.length;
    for (const server of [...options.servers.slice(first), ...options.servers.slice(0, first)]) {
      await withServer(run, server, async (running, operations) => {
        tell(`Round ${round + 1} of ${options.rounds}: ${server.name}`);
        const idleMb = residentMb(running.pid);
        const about = { facts: scene.facts, cursors: cursors.get(server.name)! };
        await warmUp(bench, running, operations, about);
        for (const operation of operations)
          measurements.push(await measure(bench, running, operation, about));
        seen.push({
          server: server.name,
          startMs: running.startMs,
          idleMb,
          loadedMb: residentMb(running.pid),
        });
      });
    }
  }
  return {
    measurements,
    standings: options.servers.flatMap(({ name }) =>
      standingOf(seen.filter(({ server }) => server === name)),
    ),
  };
}

function standingOf(seen: readonly Standing[]): Standing[] {
  const figure = (read: (one: Standing) => number): number => median(seen.map(read));
  return seen.slice(0, 1).map(({ server }) => ({
    server,
    startMs: figure((one) => one.startMs),
    idleMb: figure((one) => one.idleMb),
    loadedMb: figure((one) => one.loadedMb),
  }));
}

async function contextLines({
  options: { posts, pace, rounds: count },
  stage,
  scene,
}: Run): Promise<string> {
  const pinning = stage.cores
    ? 'server and load on a core each'
    : 'server and load not kept to cores of their own';
  return `${await stage.machine(scene)}\n${posts.toLocaleString('en')} posts, ${pace.connections} connections, ${pinning}, medians of ${count} interleaved rounds of ${pace.seconds} s`;
}

function drawChart(measurements: readonly Measurement[], context: string): void {
  const folder = path.join(ROOT, 'docs', 'images');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'bench.svg'), chartOf(measurements, context));
}
