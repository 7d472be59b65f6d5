import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { responsesOf, createComparison, deepCursors } from './responses.js';
import { chartOf } from './chart.js';
import { DIALECTS } from './dialects.js';
import { measure, warmUp, type Measurement } from './measure.js';
import type { Operation } from './operations.js';
import type { Options } from './options.js';
import { ROOT } from './product.js';
import { logProgress } from './progress.js';
import { reportOf } from './report.js';
import { cpuRatiosOf, median, ratiosOf, type ServerFigures } from './results.js';
import type { RunningServer } from './running-server.js';
import { operationsOf, type Server } from './servers.js';
import {
  withBenchEnvironment,
  type SeededDatabase,
  type BenchEnvironment,
} from './bench-environment.js';
import { residentMb } from './usage.js';

/** Compares the servers: first their responses, then their speed in interleaved rounds. */
export const compare = (options: Options): Promise<void> =>
  withBenchEnvironment(async (environment) => {
    const seeded = await environment.openDatabase(options.posts);
    const run = { options, environment, seeded };
    const cursors = await assertSameResponses(run);
    const { measurements, serverFigures } = await rounds(run, cursors);
    const context = await contextLines(run);
    process.stdout.write(`${context}\n\n${reportOf(measurements, serverFigures)}\n`);
    if (options.chart) drawChart(measurements, context);
    if (options.json)
      process.stdout.write(
        `${JSON.stringify({ ratios: ratiosOf(measurements), cpu: cpuRatiosOf(measurements) })}\n`,
      );
  });

interface Run {
  readonly options: Options;
  readonly environment: BenchEnvironment;
  readonly seeded: SeededDatabase;
}
type Cursors = Readonly<Record<string, string>>;

/** Starts a server and runs `work` with the operations that it supports. */
async function withServer(
  { options, environment, seeded }: Run,
  server: Server,
  work: (running: RunningServer, operations: readonly Operation[]) => Promise<void>,
): Promise<void> {
  const operations = operationsOf(server, options.operations);
  if (operations.length === 0) return;
  const running = await environment.start(server, seeded);
  await work(running, operations);
  await running.stop();
}

/**
 * Sends the same requests to every server and compares the responses.
 * @returns the cursors of the deep pages, by server
 */
async function assertSameResponses(run: Run): Promise<Map<string, Cursors>> {
  const { database, targets } = run.seeded;
  const cursors = new Map<string, Cursors>();
  const compareResponses = createComparison();
  for (const server of run.options.servers) {
    await withServer(run, server, async (running, operations) => {
      logProgress(`Comparing responses: ${server.name}`);
      cursors.set(
        server.name,
        server.apis.includes('graphql') ? await deepCursors(running, targets) : {},
      );
      const context = {
        targets,
        dialect: DIALECTS[server.dialect],
        cursors: cursors.get(server.name)!,
      };
      for (const operation of operations)
        compareResponses(
          server.name,
          operation.name,
          await responsesOf(running, operation, context, database.pool),
        );
    });
  }
  return cursors;
}

/**
 * Each round measures every server; the next start starts with another server, so that none is
 * always first.
 */
async function rounds(
  run: Run,
  cursors: ReadonlyMap<string, Cursors>,
): Promise<{ measurements: Measurement[]; serverFigures: ServerFigures[] }> {
  const { options, environment, seeded } = run;
  const bench = environment.bench(seeded, options.pace);
  const measurements: Measurement[] = [];
  const measured: ServerFigures[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const first = round % options.servers.length;
    for (const server of [...options.servers.slice(first), ...options.servers.slice(0, first)]) {
      await withServer(run, server, async (running, operations) => {
        logProgress(`Round ${round + 1} of ${options.rounds}: ${server.name}`);
        const idleMb = residentMb(running.pid);
        const input = { targets: seeded.targets, cursors: cursors.get(server.name)! };
        await warmUp(bench, running, operations, input);
        for (const operation of operations)
          measurements.push(await measure(bench, running, operation, input));
        measured.push({
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
    serverFigures: options.servers.flatMap(({ name }) =>
      medianFigures(measured.filter(({ server }) => server === name)),
    ),
  };
}

function medianFigures(measured: readonly ServerFigures[]): ServerFigures[] {
  const figure = (read: (start: ServerFigures) => number): number => median(measured.map(read));
  return measured.slice(0, 1).map(({ server }) => ({
    server,
    startMs: figure((start) => start.startMs),
    idleMb: figure((start) => start.idleMb),
    loadedMb: figure((start) => start.loadedMb),
  }));
}

async function contextLines({
  options: { posts, pace, rounds: count },
  environment,
  seeded,
}: Run): Promise<string> {
  const pinning = environment.cores
    ? 'server and load on separate cores'
    : 'server and load not pinned to cores';
  return `${await environment.machine(seeded)}\n${posts.toLocaleString('en')} posts, ${pace.connections} connections, ${pinning}, medians of ${count} interleaved rounds of ${pace.seconds} s`;
}

function drawChart(measurements: readonly Measurement[], context: string): void {
  const folder = path.join(ROOT, 'docs', 'images');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'bench.svg'), chartOf(measurements, context));
}
