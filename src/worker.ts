import { openMetrics } from './compose/compose-metrics.js';
import { composeVitals } from './compose/compose-vitals.js';
import { composeWorker } from './compose/compose-worker.js';
import { readConfig } from './config.js';
import { createLog } from './log.js';
import { outliveReaders } from './output.js';
import { openMigrated } from './persistence/open-migrated.js';
import { onceStopped } from './stopping.js';

/** How long the jobs at hand may take to end before they are given back. With the database's own end it stays under LAST_MS. */
const PATIENCE_MS = 7_000;
/** Whatever hangs, the process is gone by then. */
const LAST_MS = 9_500;

async function start(): Promise<void> {
  outliveReaders();
  const config = readConfig();
  const { databaseUrl, dataDir, databasePoolSize: poolSize, isUnderNpm } = config;
  const log = createLog(config.logLevel);
  const metrics = await openMetrics(config, log);
  const opening = openMigrated({ databaseUrl, dataDir, poolSize, log });
  const composing = opening.then((database) => composeWorker(config, database, { log, meter: metrics.jobs }));
  const standing = onceStopped({ isUnderNpm, lastMs: LAST_MS }, async () => {
    metrics.drain();
    await composing.then((worker) => worker.stop(PATIENCE_MS), () => undefined);
    await metrics.close();
    await opening.then((database) => database.close(), () => undefined);
  });
  const [{ pool }, worker] = await Promise.all([opening, composing]);
  if (standing.isStopping) return; // told to end before it was ready: what was opened is being closed
  metrics.watch(pool, composeVitals(pool));
  worker.start();
  process.stdout.write(`Posts gateway worker is doing jobs.\n${metrics.url === null ? '' : `  Metrics     ${metrics.url}/metrics\n`}`);
}

start().catch((error: Error) => {
  process.stderr.write(`posts-gateway worker: ${error.message}\n`);
  process.exit(1);
});
