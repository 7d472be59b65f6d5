import {
  withBenchEnvironment,
  type BenchEnvironment,
  type SeededDatabase,
} from './bench-environment.js';
import {
  measure,
  warmUp,
  type Bench,
  type Measurement,
  type OperationInput,
  type Pace,
} from './measure.js';
import type { Operation } from './operations.js';
import type { Options } from './options.js';
import { logProgress } from './progress.js';
import { deepCursors } from './responses.js';
import { setPeersIndex } from './peers-index.js';
import { median } from './results.js';
import type { RunningServer } from './running-server.js';
import { operationsOf, type Server } from './servers.js';
import { figure, textTable } from './text-table.js';

/** How long each server answers as many requests as it can, to find the slowest one. */
const CAPACITY_SECONDS = 2;
/** Share of the requests per second of the slowest server that every server gets. */
const SHARE_OF_CAPACITY = 0.5;

/** A server that stays up until the end, so that its rounds can alternate with those of others. */
interface MeasuredServer {
  readonly running: RunningServer;
  readonly input: OperationInput;
}

/** An operation at its rate on a server. */
interface Latency {
  readonly operation: string;
  readonly server: string;
  /** Requests per second that were sent, and that were answered. */
  readonly offered: number;
  readonly perSecond: number;
  /** Milliseconds: medians of the rounds. */
  readonly p50: number;
  readonly p99: number;
  /** The p99 of each round, in milliseconds. */
  readonly p99s: readonly number[];
}

/**
 * Response times at the same rate of requests to every GraphQL server: half of what the slowest of
 * them answers. The servers are measured in turns, since other programs disturb the machine at
 * times. Operations with a limited number of requests have no such rate.
 */
export const measureLatency = (options: Options): Promise<void> =>
  withBenchEnvironment(async (environment) => {
    const seeded = await environment.openDatabase(options.posts);
    const servers: MeasuredServer[] = [];
    for (const server of options.servers.filter(({ apis }) => apis.includes('graphql')))
      servers.push(await startMeasured(environment, seeded, server));
    const operations = options.operations.filter(
      ({ api, isVariant, name }) => api === 'graphql' && !isVariant && name !== 'M2',
    );
    const benchAt = (pace: Partial<Pace>): Bench =>
      environment.bench(seeded, { ...options.pace, ...pace });
    const rows: Latency[] = [];
    for (const operation of operations) {
      const measured = servers.filter(
        ({ running }) => operationsOf(running.server, [operation]).length > 0,
      );
      const perSecond = await commonRate(benchAt, operation, measured);
      rows.push(...(await inTurns(options, benchAt, { operation, measured, perSecond })));
    }
    const table = textTable(
      [
        '',
        'offered per second',
        '',
        'answered per second',
        'p50 ms',
        'p99 ms',
        'p99 of the rounds',
      ],
      rows.map(({ operation, server, offered, perSecond, p50, p99, p99s }) => [
        operation,
        figure(offered),
        server,
        figure(perSecond),
        figure(p50, 1),
        figure(p99, 1),
        `${figure(Math.min(...p99s), 1)} to ${figure(Math.max(...p99s), 1)}`,
      ]),
    );
    process.stdout.write(
      `${await environment.machine(seeded)}\n${options.posts.toLocaleString('en')} posts, ${options.pace.connections} connections, medians of ${options.rounds} interleaved rounds of ${figure(secondsOfRound(options), 1)} s\n\n${table}\n`,
    );
    if (options.json) process.stdout.write(`${JSON.stringify({ latency: rows })}\n`);
  });

const secondsOfRound = ({ pace, rounds }: Options): number => pace.seconds / rounds;

async function startMeasured(
  environment: BenchEnvironment,
  seeded: SeededDatabase,
  server: Server,
): Promise<MeasuredServer> {
  const running = await environment.start(server, seeded);
  const { targets } = seeded;
  return { running, input: { targets, cursors: await deepCursors(running, targets) } };
}

type BenchAt = (pace: Partial<Pace>) => Bench;

/** Half of the requests per second that the slowest server answers. */
async function commonRate(
  benchAt: BenchAt,
  operation: Operation,
  servers: readonly MeasuredServer[],
): Promise<number> {
  const capacities: number[] = [];
  for (const { running, input } of inOrder(servers, 0)) {
    logProgress(`Capacity of ${operation.name}: ${running.server.name}`);
    const bench = benchAt({ seconds: CAPACITY_SECONDS });
    await setPeersIndex(bench.pool, running.server);
    await warmUp(bench, running, [operation], input);
    capacities.push((await measure(bench, running, operation, input)).perSecond);
  }
  return Math.floor(SHARE_OF_CAPACITY * Math.min(...capacities));
}

/**
 * The servers of a round, which starts with another one each time. Those that need an index come
 * last, so that it is created once.
 */
function inOrder(servers: readonly MeasuredServer[], round: number): MeasuredServer[] {
  const first = round % servers.length;
  return [...servers.slice(first), ...servers.slice(0, first)].sort(
    (a, b) => Number(a.running.server.needsIndex) - Number(b.running.server.needsIndex),
  );
}

/** Measures the servers in rounds. */
async function inTurns(
  options: Options,
  benchAt: BenchAt,
  {
    operation,
    measured,
    perSecond,
  }: { operation: Operation; measured: readonly MeasuredServer[]; perSecond: number },
): Promise<Latency[]> {
  const bench = benchAt({ perSecond, seconds: secondsOfRound(options) });
  // also compiles the code of the load generator that sends at a rate
  for (const { running, input } of inOrder(measured, 0)) {
    await setPeersIndex(bench.pool, running.server);
    await warmUp(bench, running, [operation], input);
  }
  const results = new Map<string, Measurement[]>();
  for (let round = 0; round < options.rounds; round++) {
    logProgress(`Response times of ${operation.name}: round ${round + 1} of ${options.rounds}`);
    for (const { running, input } of inOrder(measured, round)) {
      const { name } = running.server;
      await setPeersIndex(bench.pool, running.server);
      const result = await measure(bench, running, operation, input);
      results.set(name, [...(results.get(name) ?? []), result]);
    }
  }
  return measured.map(({ running: { server } }) => {
    const rounds = results.get(server.name)!;
    const p99s = rounds.map(({ p99 }) => p99);
    return {
      operation: operation.name,
      server: server.name,
      offered: perSecond,
      perSecond: median(rounds.map((round) => round.perSecond)),
      p50: median(rounds.map(({ p50 }) => p50)),
      p99: median(p99s),
      p99s,
    };
  });
}
