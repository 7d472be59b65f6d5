import type { Config } from '../config/config.js';
import { createLog } from '../log/log.js';
import { openMetricsServer } from './telemetry/metrics.js';
import { openMigratedDatabase } from './database/open-database.js';
import { openTracing } from './telemetry/tracing.js';
import { composeReadiness } from './readiness.js';
import { composeWorker } from './worker.js';

/** A worker in a separate process, with its metrics and health on METRICS_PORT. */
interface WorkerProcess {
  readonly metricsUrl: string | null;
  start(): void;
  /** Waits up to `timeoutMs` for running jobs. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * Opens the database and METRICS_PORT, and builds the worker.
 * @throws Error of one line if the database or METRICS_PORT cannot be used
 */
export async function openWorkerProcess(config: Config): Promise<WorkerProcess> {
  const log = createLog(config.logLevel);
  const metrics = await openMetricsServer(config, log);
  const tracing = await openTracing(config, log);
  const database = await openMigratedDatabase(config, { poolSize: config.databasePoolSize, log });
  const worker = composeWorker(config, database, { log, metrics: metrics.worker, tracing });
  return {
    metricsUrl: metrics.url,
    start() {
      metrics.collectFrom({ database, readiness: composeReadiness(database) });
      worker.start();
    },
    async close(timeoutMs) {
      metrics.drain();
      await worker.stop(timeoutMs);
      await tracing.close();
      await metrics.close();
      await database.close();
    },
  };
}
