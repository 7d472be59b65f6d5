import { openBenchDatabase, type BenchDatabase } from './database.js';
import { readFacts, restore, type Facts } from './facts.js';
import { openLoadProcess, type LoadProcess } from './load-process.js';
import { findCores, machineLine, type Cores } from './machine.js';
import type { Bench, Pace } from './measure.js';
import { setPeersIndex } from './peers-index.js';
import { openRedis, type BenchRedis } from './redis.js';
import { startServer, type RunningServer } from './running-server.js';
import type { Server } from './servers.js';

/** A seeded database, as it was made, and what there is to ask about it. */
export interface Scene {
  readonly database: BenchDatabase;
  readonly facts: Facts;
}

/** What every benchmark runs on. Whatever is opened here is closed at its end, also where it is broken off. */
export interface Stage {
  readonly cores: Cores | null;
  readonly redis: BenchRedis | null;
  readonly load: LoadProcess;
  scene(posts: number): Promise<Scene>;
  /** A server on a scene's database, on the servers' core unless told otherwise. */
  start(server: Server, scene: Scene, where?: 'any core'): Promise<RunningServer>;
  bench(scene: Scene, pace: Pace): Bench;
  /** The machine and the versions, in one line. */
  machine(scene: Scene): Promise<string>;
}

type Closing = () => Promise<void> | void;

/** Opens the stage for a benchmark. */
export async function withStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const closings: Closing[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closings.splice(0).reverse()) await close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void closeAll().then(() => process.exit(1)));
  try {
    const redis = await openRedis();
    closings.push(() => redis?.stop());
    const cores = findCores();
    const load = openLoadProcess(cores?.load);
    closings.push(() => load.stop());
    await work(stageOf({ closings, redis, cores, load }));
  } finally {
    await closeAll();
  }
}

function stageOf({
  closings,
  redis,
  cores,
  load,
}: {
  closings: Closing[];
  redis: BenchRedis | null;
  cores: Cores | null;
  load: LoadProcess;
}): Stage {
  return {
    cores,
    redis,
    load,
    async scene(posts) {
      const database = await openBenchDatabase({ posts });
      closings.push(() => database.close());
      await restore(database.pool);
      return { database, facts: await readFacts(database.pool) };
    },
    async start(server, { database, facts }, where) {
      const core = where === 'any core' ? undefined : cores?.server;
      await setPeersIndex(database.pool, server);
      const running = await startServer(server, {
        databaseUrl: database.url,
        redisUrl: redis?.url ?? null,
        core,
        someWorkspace: facts.readers[0]!,
      });
      const stop = async (): Promise<void> => {
        if (closings.includes(stop)) closings.splice(closings.indexOf(stop), 1);
        await running.stop();
      };
      closings.push(stop);
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
