import { openBenchDatabase, type BenchDatabase } from './database.js';
import { readTargets, restore, type Targets } from './targets.js';
import { openLoadProcess, type LoadProcess } from './load-process.js';
import { findCores, machineLine, type Cores } from './machine.js';
import type { Bench, Pace } from './measure.js';
import { setPeersIndex } from './peers-index.js';
import { ROOT } from './product.js';
import { openRedis, type BenchRedis } from './redis.js';
import { startServer, type RunningServer } from './running-server.js';
import type { Server } from './servers.js';

/** A seeded database in its initial state, and the targets of the operations in it. */
export interface SeededDatabase {
  readonly database: BenchDatabase;
  readonly targets: Targets;
}

/**
 * What every benchmark runs on. Everything opened here is closed at the end, also after a signal or
 * an error.
 */
export interface BenchEnvironment {
  readonly cores: Cores | null;
  readonly redis: BenchRedis | null;
  readonly load: LoadProcess;
  /** Opens the database with the tables of this checkout, or of another one. */
  openDatabase(posts: number, checkout?: string): Promise<SeededDatabase>;
  /** Starts a server on a database, on the core for servers unless `where` is given. */
  start(server: Server, seeded: SeededDatabase, where?: 'any core'): Promise<RunningServer>;
  bench(seeded: SeededDatabase, pace: Pace): Bench;
  /** Machine and versions, in one line. */
  machine(seeded: SeededDatabase): Promise<string>;
}

type Cleanup = () => Promise<void> | void;

/** Opens the environment, runs a benchmark in it, and closes it. */
export async function withBenchEnvironment(
  work: (environment: BenchEnvironment) => Promise<void>,
): Promise<void> {
  const cleanups: Cleanup[] = [];
  const cleanUp = async (): Promise<void> => {
    for (const close of cleanups.splice(0).reverse()) await close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void cleanUp().then(() => process.exit(1)));
  try {
    const redis = await openRedis();
    cleanups.push(() => redis?.stop());
    const cores = findCores();
    const load = openLoadProcess(cores?.load);
    cleanups.push(() => load.stop());
    await work(createEnvironment({ cleanups, redis, cores, load }));
  } finally {
    await cleanUp();
  }
}

function createEnvironment({
  cleanups,
  redis,
  cores,
  load,
}: {
  cleanups: Cleanup[];
  redis: BenchRedis | null;
  cores: Cores | null;
  load: LoadProcess;
}): BenchEnvironment {
  return {
    cores,
    redis,
    load,
    async openDatabase(posts, checkout = ROOT) {
      const database = await openBenchDatabase({ posts, checkout });
      cleanups.push(() => database.close());
      await restore(database.pool);
      return { database, targets: await readTargets(database.pool) };
    },
    async start(server, { database, targets }, where) {
      const core = where === 'any core' ? undefined : cores?.server;
      await setPeersIndex(database.pool, server);
      const running = await startServer(server, {
        databaseUrl: database.url,
        redisUrl: redis?.url ?? null,
        core,
        someWorkspace: targets.readers[0]!,
      });
      const stop = async (): Promise<void> => {
        if (cleanups.includes(stop)) cleanups.splice(cleanups.indexOf(stop), 1);
        await running.stop();
      };
      cleanups.push(stop);
      return { ...running, stop };
    },
    bench: ({ database }, pace) => ({
      pool: database.pool,
      load,
      redisPid: redis?.pid ?? null,
      pace,
    }),
    async machine({ database }) {
      const { rows } = await database.pool.query<{ version: string }>(
        "SELECT current_setting('server_version') AS version",
      );
      return `${machineLine()}, PostgreSQL ${rows[0]?.version.split(' ')[0]}, ${redis ? `Redis ${redis.version}` : 'no Redis'}`;
    },
  };
}
