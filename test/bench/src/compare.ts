import { writeFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { answersOf, createComparison, deepCursors } from './answers.js';
import { chartOf } from './chart.js';
import { openBenchDatabase, type BenchDatabase } from './database.js';
import { DIALECTS } from './dialects.js';
import { readFacts, restore, type Facts } from './facts.js';
import { openLoadProcess } from './load-process.js';
import { findCores, machineLine } from './machine.js';
import { measure, warmUp, type Measurement } from './measure.js';
import type { Operation } from './operations.js';
import type { Options } from './options.js';
import { ROOT } from './product.js';
import { tell } from './progress.js';
import { openRedis } from './redis.js';
import { reportOf } from './report.js';
import { median, ratiosOf, type Standing } from './results.js';
import { startServer, type RunningServer, type Surroundings } from './running-server.js';
import type { Server } from './servers.js';
import { residentMb } from './usage.js';

/** Everything that was opened, in the order in which it is closed again. */
type Closing = () => Promise<void> | void;

/** Compares the servers: the same answers first, then rounds in turn. */
export async function compare(options: Options): Promise<void> {
  const closings: Closing[] = [];
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const closeAll = async (): Promise<void> => {
    for (const close of closings.splice(0).reverse()) await close();
  };
  for (const signal of signals) process.once(signal, () => void closeAll().then(() => process.exit(1)));
  try {
    const database = await openBenchDatabase({ posts: options.posts });
    closings.push(() => database.close());
    const redis = await openRedis();
    closings.push(() => redis?.stop());
    const cores = findCores();
    const load = openLoadProcess(cores?.load);
    closings.push(() => load.stop());
    await restore(database.pool);
    const facts = await readFacts(database.pool);
    const surroundings: Surroundings = { databaseUrl: database.url, redisUrl: redis?.url ?? null, core: cores?.server, someWorkspace: facts.readers[0]! };
    const bench = { pool: database.pool, load, redisPid: redis?.pid ?? null, pace: options.pace };

    const withServer = async (server: Server, work: (running: RunningServer, operations: readonly Operation[]) => Promise<void>): Promise<void> => {
      const operations = options.operations.filter(({ door }) => server.doors.includes(door));
      if (operations.length === 0) return;
      const running = await startServer(server, surroundings);
      closings.push(running.stop);
      await work(running, operations);
      closings.splice(closings.indexOf(running.stop), 1);
      await running.stop();
    };

    const cursors = await assertSameAnswers({ options, facts, database, withServer });
    const { measurements, standings } = await rounds({ options, facts, cursors, bench, withServer });

    const context = await contextLine(database, redis?.version, options, cores !== null);
    process.stdout.write(`${context}\n\n${reportOf(measurements, standings)}\n`);
    if (options.chart) drawChart(measurements, context);
    if (options.json) process.stdout.write(`${JSON.stringify({ ratios: ratiosOf(measurements) })}\n`);
  } finally {
    await closeAll();
  }
}

type Cursors = Readonly<Record<string, string>>;
interface Run {
  readonly options: Options;
  readonly facts: Facts;
  readonly withServer: (server: Server, work: (running: RunningServer, operations: readonly Operation[]) => Promise<void>) => Promise<void>;
}

/** Every server is asked the same; gives the cursors that each has for the deep pages. */
async function assertSameAnswers({ options, facts, database, withServer }: Run & { database: BenchDatabase }): Promise<Map<string, Cursors>> {
  const cursors = new Map<string, Cursors>();
  const compareWith = createComparison();
  for (const server of options.servers) {
    await withServer(server, async (running, operations) => {
      tell(`Comparing answers: ${server.name}`);
      cursors.set(server.name, server.doors.includes('graphql') ? await deepCursors(running, facts) : {});
      const asking = { facts, dialect: DIALECTS[server.dialect], cursors: cursors.get(server.name)! };
      for (const operation of operations) compareWith(server.name, operation.name, await answersOf(running, operation, asking, database.pool));
    });
  }
  return cursors;
}

/** Each round takes every server in turn; the next begins with another one, so that none is always first. */
async function rounds({ options, facts, cursors, bench, withServer }: Run & { cursors: Map<string, Cursors>; bench: Parameters<typeof measure>[0] }) {
  const measurements: Measurement[] = [];
  const seen: Standing[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const first = round % options.servers.length;
    for (const server of [...options.servers.slice(first), ...options.servers.slice(0, first)]) {
      await withServer(server, async (running, operations) => {
        tell(`Round ${round + 1} of ${options.rounds}: ${server.name}`);
        const idleMb = residentMb(running.pid);
        const about = { facts, cursors: cursors.get(server.name)! };
        await warmUp(bench, running, operations, about);
        for (const operation of operations) measurements.push(await measure(bench, running, operation, about));
        seen.push({ server: server.name, startMs: running.startMs, idleMb, loadedMb: residentMb(running.pid) });
      });
    }
  }
  const standings = options.servers.flatMap(({ name }): Standing[] => {
    const mine = seen.filter((one) => one.server === name);
    return mine.length === 0 ? [] : [{ server: name, startMs: median(mine.map((one) => one.startMs)), idleMb: median(mine.map((one) => one.idleMb)), loadedMb: median(mine.map((one) => one.loadedMb)) }];
  });
  return { measurements, standings };
}

async function contextLine({ pool }: BenchDatabase, redis: string | undefined, { posts, pace, rounds: count }: Options, arePinned: boolean): Promise<string> {
  const { rows } = await pool.query<{ version: string }>("SELECT current_setting('server_version') AS version");
  const pinning = arePinned ? 'server and load on a core each' : 'server and load not kept to cores of their own';
  return [
    `${machineLine()}, PostgreSQL ${rows[0]?.version.split(' ')[0]}, ${redis ? `Redis ${redis}` : 'no Redis'}`,
    `${posts.toLocaleString('en')} posts, ${pace.connections} connections, ${pinning}, medians of ${count} interleaved rounds of ${pace.seconds} s`,
  ].join('\n');
}

function drawChart(measurements: readonly Measurement[], context: string): void {
  const folder = path.join(ROOT, 'docs', 'images');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'bench.svg'), chartOf(measurements, context));
}
