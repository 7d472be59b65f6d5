import type { Log } from '../../domain/log.js';
import type { Database } from '../database.js';
import type { ListenIntervals } from '../connections/listen-notify.js';

/** Application name of the connections on which workers listen for new jobs. */
export const WORKER_APPLICATION_NAME = 'posts-gateway jobs';
const CHANNEL = 'posts_gateway_jobs';
/** SQL expression that wakes the workers of all processes when its transaction is committed. */
export const WAKE_WORKERS = `pg_notify('${CHANNEL}', '')`;

/**
 * Calls `wake` whenever a process enqueues jobs. Reconnects after a lost connection; until then
 * workers find jobs by polling.
 */
export const listenForJobs = (
  database: Database,
  wake: () => void,
  log: Log,
  intervals?: ListenIntervals,
): { close(): Promise<void> } =>
  database.listen({
    channel: CHANNEL,
    applicationName: WORKER_APPLICATION_NAME,
    onNotification: wake,
    onConnected: wake,
    onLost: (reason) =>
      log.warn(`Lost the LISTEN connection; polling for new jobs until it is back: ${reason}`),
    ...(intervals && { intervals }),
  });
