import type { Logger } from 'pino';
import type { Config } from './config.js';
import { createWorker, type Worker } from './jobs/worker.js';
import type { Database } from './persistence/database.js';
import { createEditStore } from './persistence/edit-store.js';
import { createJobQueue } from './persistence/job-queue.js';
import { createJobRuns } from './persistence/job-runs.js';
import type { JobHandlers } from './services/job-ports.js';
import { createConnections } from './services/network-connections.js';
import { createNetworkEdits } from './services/network-edits.js';
import type { Networks } from './services/network-ports.js';

/** The networks that this build can speak to. */
const NETWORKS: Networks = {};

/** Puts together what does jobs on an open database: in the gateway's own process, and in each of `npm run worker`. */
export function composeWorker({ jobConcurrency }: Config, { pool }: Pick<Database, 'pool'>, log: Logger): Worker {
  const handlers: JobHandlers = {
    network_edit: createNetworkEdits({
      edits: createEditStore(pool),
      connectionTo: createConnections({ networks: NETWORKS, sandbox: null, credentials: null }),
      chance: Math.random,
    }),
  };
  return createWorker({ queue: createJobQueue(pool, log), runs: createJobRuns(pool), handlers, log, atOnce: jobConcurrency });
}
