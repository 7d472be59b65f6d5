import type { Logger } from 'pino';
import { composeNetworks } from './networks.js';
import type { Config } from '../config/config.js';
import { createWorker, type Worker } from '../jobs/worker.js';
import { createSandboxNetwork } from '../networks/sandbox.js';
import { createWebhook } from '../networks/webhook.js';
import { createCredentialKeys, keyFileIn } from '../persistence/credentials/credential-keys.js';
import { createCredentialStore } from '../persistence/credentials/credential-store.js';
import type { Database } from '../persistence/database.js';
import { createEditStore } from '../persistence/networks/edit-store.js';
import { createJobQueue } from '../persistence/jobs/job-queue.js';
import { createJobRuns } from '../persistence/jobs/job-runs.js';
import { createNotificationStore } from '../persistence/jobs/notification-store.js';
import { createPostStore } from '../persistence/posts/post-store.js';
import { createPurgeStore } from '../persistence/jobs/purge-store.js';
import { createSandboxStore } from '../persistence/networks/sandbox-store.js';
import { createStandingStore } from '../persistence/networks/account-status-store.js';
import { createStandings } from '../services/accounts/account-status.js';
import { createDeliveries } from '../services/jobs/deliver-notification.js';
import type { JobHandlers, JobMeter } from '../services/jobs/job-ports.js';
import { createConnections } from '../services/networks/network-connections.js';
import { createNetworkEdits } from '../services/networks/network-edits.js';
import type { Networks } from '../services/networks/network-ports.js';
import type { Clock } from '../services/ports.js';
import { createPurge } from '../services/jobs/purge.js';
import { createIds, systemClock } from '../services/random-ids.js';

interface WorkerParts {
  readonly log: Logger;
  readonly clock?: Clock;
  readonly networks?: Networks;
  readonly meter?: JobMeter | undefined;
}

/** Puts together what does jobs on an open database: in the gateway's own process, and in each of `npm run worker`. */
export function composeWorker(
  config: Config,
  { pool, prisma, embedded }: Pick<Database, 'pool' | 'prisma' | 'embedded'>,
  { log, clock = systemClock, networks = composeNetworks(config, clock), meter }: WorkerParts,
): Worker {
  const keys = createCredentialKeys({
    configured: config.credentialsKeys,
    keyFile: embedded ? keyFileIn(config.dataDir) : null,
  });
  const connectionTo = createConnections({
    networks,
    sandbox: createSandboxNetwork({ store: createSandboxStore(pool), clock }),
    credentials: createCredentialStore(prisma, keys),
    alert: (message) => log.error(message),
  });
  const store = createPostStore(pool);
  const standings = createStandings({ accounts: createStandingStore(pool), store, clock });
  const { webhookUrl, webhookSecrets } = config;
  const webhook =
    webhookUrl === undefined
      ? null
      : createWebhook({ url: webhookUrl, secrets: webhookSecrets, clock });
  const handlers: JobHandlers = {
    network_edit: createNetworkEdits({
      edits: createEditStore(pool),
      connectionTo,
      standings,
      store,
      clock,
      chance: Math.random,
    }),
    notification: createDeliveries({
      notifications: createNotificationStore(prisma),
      webhook,
      chance: Math.random,
    }),
    purge: createPurge({ store: createPurgeStore(pool), clock }),
  };
  return createWorker({
    queue: createJobQueue(pool, log),
    runs: createJobRuns(pool, createIds(clock)),
    handlers,
    log,
    meter,
    atOnce: config.jobConcurrency,
  });
}
