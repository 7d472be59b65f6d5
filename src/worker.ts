import { readConfig, type Config } from './config/config.js';
import { createLog } from './log/log.js';
import { outliveReaders } from './composition/ignore-broken-pipe.js';
import { onceStopped } from './composition/graceful-shutdown.js';

/** How long the jobs at hand may take to end before they are given back. With the database's own end it stays under LAST_MS. */
const PATIENCE_MS = 7_000;
/** Whatever hangs, the process is gone by then. */
const LAST_MS = 9_500;

async function start(): Promise<void> {
  outliveReaders();
  const config = readConfig();
  const opening = openWorker(config);
  const standing = onceStopped({ isUnderNpm: config.isUnderNpm, lastMs: LAST_MS }, () =>
    opening.then(
      (worker) => worker.close(),
      () => undefined,
    ),
  );
  const worker = await opening;
  if (!standing.isStopping) worker.start(); // else it was told to end before it was ready
}

/** The parts are loaded only now, when it can be told to end: they take most of the time to start. */
async function openWorker(config: Config): Promise<{ start(): void; close(): Promise<void> }> {
  const [{ openMetrics }, { composeVitals }, { composeWorker }, { openMigrated }] =
    await Promise.all([
      import('./composition/metrics.js'),
      import('./composition/readiness.js'),
      import('./composition/worker.js'),
      import('./persistence/open-migrated.js'),
    ]);
  const { databaseUrl, dataDir, databasePoolSize: poolSize } = config;
  const log = createLog(config.logLevel);
  const metrics = await openMetrics(config, log);
  const database = await openMigrated({ databaseUrl, dataDir, poolSize, log });
  const worker = composeWorker(config, database, { log, meter: metrics.jobs });
  return {
    start() {
      metrics.watch(database.pool, composeVitals(database.pool));
      worker.start();
      process.stdout.write(
        `Posts gateway worker is doing jobs.\n${metrics.url === null ? '' : `  Metrics     ${metrics.url}/metrics\n`}`,
      );
    },
    async close() {
      metrics.drain();
      await worker.stop(PATIENCE_MS);
      await metrics.close();
      await database.close();
    },
  };
}

start().catch((error: Error) => {
  process.stderr.write(`posts-gateway worker: ${error.message}\n`);
  process.exit(1);
});
