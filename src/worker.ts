import { openMetrics } from './compose/compose-metrics.js';
import { composeVitals } from './compose/compose-vitals.js';
import { composeWorker } from './compose/compose-worker.js';
import { readConfig } from './config.js';
import { createLog } from './log.js';
import { outliveReaders } from './output.js';
import { openDatabase } from './persistence/database.js';
import { applyMigrations, MIGRATIONS_DIR } from './persistence/migrations.js';
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
  const database = await openDatabase({ databaseUrl, dataDir, poolSize, log });
  try {
    await applyMigrations(database.pool, MIGRATIONS_DIR, log);
  } catch (error) {
    await database.close();
    throw error;
  }
  const worker = composeWorker(config, database, { log, meter: metrics.jobs });
  metrics.watch(database.pool, composeVitals(database.pool));
  onceStopped({ isUnderNpm, lastMs: LAST_MS }, async () => {
    metrics.drain();
    await worker.stop(PATIENCE_MS);
    await metrics.close();
    await database.close();
  });
  worker.start();
  process.stdout.write(`Posts gateway worker is doing jobs.\n${metrics.url === null ? '' : `  Metrics     ${metrics.url}/metrics\n`}`);
}

start().catch((error: Error) => {
  process.stderr.write(`posts-gateway worker: ${error.message}\n`);
  process.exit(1);
});
