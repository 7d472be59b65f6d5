import { execFileSync } from 'node:child_process';
import { withBenchEnvironment, type SeededDatabase } from './bench-environment.js';
import { measure, warmUp, type Bench, type Measurement, type OperationInput } from './measure.js';
import type { Operation } from './operations.js';
import type { Options } from './options.js';
import { pairedRatio, ratioCell, type PairedRatio } from './paired-ratio.js';
import { ROOT, startCommand } from './product.js';
import { logProgress } from './progress.js';
import { deepCursors } from './responses.js';
import { median } from './results.js';
import type { RunningServer } from './running-server.js';
import { SERVERS } from './servers.js';
import { figure, textTable, type Row } from './text-table.js';

/** Rounds per requested round: many short ones average out what else the machine does. */
const SLICES_PER_ROUND = 4;
const SLICE_SECONDS = 1;

/** A build of the product that runs on its own database. */
interface Build {
  readonly running: RunningServer;
  readonly bench: Bench;
  readonly input: OperationInput;
}

interface Pair {
  readonly ours: Measurement;
  readonly other: Measurement;
}

/**
 * Compares this build with the build of another checkout. Both run all the time, and each operation
 * is measured in short slices that alternate between them.
 */
export const compareBuilds = (options: Options, checkout: string): Promise<void> =>
  withBenchEnvironment(async (environment) => {
    execFileSync('npm', ['run', '--silent', 'prestart'], { cwd: checkout, stdio: 'inherit' });
    const pace = { ...options.pace, seconds: SLICE_SECONDS };
    const start = async (folder: string): Promise<Build & { seeded: SeededDatabase }> => {
      const seeded = await environment.openDatabase(options.posts, folder);
      const server = { ...SERVERS[0]!, name: folder, folder, command: startCommand(folder) };
      const running = await environment.start(server, seeded);
      const input = {
        targets: seeded.targets,
        cursors: await deepCursors(running, seeded.targets),
      };
      return { running, seeded, input, bench: environment.bench(seeded, pace) };
    };
    const ours = await start(ROOT);
    const other = await start(checkout);
    const rows: Row[] = [];
    for (const operation of options.operations)
      rows.push(rowOf(operation.name, await measurePairs(operation, ours, other, options.rounds)));

    const commit = (folder: string): string =>
      execFileSync('git', ['log', '-1', '--format=%h %s'], { cwd: folder }).toString().trim();
    process.stdout.write(
      `${await environment.machine(ours.seeded)}\n${options.posts.toLocaleString('en')} posts, ${pace.connections} connections, ${options.rounds * SLICES_PER_ROUND} pairs of ${SLICE_SECONDS} s\n` +
        `This build: ${commit(ROOT)}\nOther build: ${commit(checkout)}\nRatios of this build to the other one: geometric mean [95 % confidence interval]\n\n` +
        `${textTable(HEAD, rows)}\n`,
    );
  });

async function measurePairs(
  operation: Operation,
  ours: Build,
  other: Build,
  rounds: number,
): Promise<Pair[]> {
  logProgress(`Measuring ${operation.name}`);
  const measureOn = ({ bench, running, input }: Build): Promise<Measurement> =>
    measure(bench, running, operation, input);
  for (const { bench, running, input } of [ours, other])
    await warmUp(bench, running, [operation], input);
  const pairs: Pair[] = [];
  for (let slice = 0; slice < rounds * SLICES_PER_ROUND; slice++) {
    // Neither build is always first.
    const first = await measureOn(slice % 2 === 0 ? ours : other);
    const second = await measureOn(slice % 2 === 0 ? other : ours);
    pairs.push(slice % 2 === 0 ? { ours: first, other: second } : { ours: second, other: first });
  }
  return pairs;
}

const HEAD = ['', 'CPU ms', 'requests/s ×', 'CPU ×', 'CPU server ×', 'CPU database ×', 'p99 ×'];

const cpuOf = ({ serverCpu, databaseCpu }: Measurement): number => serverCpu + databaseCpu;

function rowOf(operation: string, pairs: readonly Pair[]): Row {
  const ratioOf = (read: (measurement: Measurement) => number): PairedRatio =>
    pairedRatio(
      pairs.map(({ ours }) => read(ours)),
      pairs.map(({ other }) => read(other)),
    );
  return [
    operation,
    figure(median(pairs.map(({ ours }) => cpuOf(ours))), 3),
    ratioCell(ratioOf(({ perSecond }) => perSecond)),
    ratioCell(ratioOf(cpuOf)),
    ratioCell(ratioOf(({ serverCpu }) => serverCpu)),
    ratioCell(ratioOf(({ databaseCpu }) => databaseCpu)),
    ratioCell(ratioOf(({ p99 }) => p99)),
  ];
}
