import type { Logger } from 'pino';
import type { JobHandlers } from '../services/jobs/job-handler.js';
import { openCredentialKeys } from './database/credential-keys.js';
import { composeMediaFiles, composeMediaSource, composeStoredMedia } from './media.js';
import { composeNetworks } from './networks.js';
import { NO_TRACING } from './telemetry/tracing.js';
import { composePeriodicTasks } from './periodic-tasks.js';
import type { ConfiguredDatabase } from './database/open-database.js';
import type { Config } from '../config/config.js';
import { createWorker, type Worker } from '../jobs/worker.js';
import { createSandboxNetwork } from '../networks/sandbox.js';
import { createCredentialStore } from '../persistence/credentials/credential-store.js';
import { createEventPartitions } from '../persistence/events/event-partitions.js';
import { createMediaFileStore } from '../persistence/media/media-file-store.js';
import { createNetworkEditStore } from '../persistence/networks/network-edit-store.js';
import { createFollowedPostsStore } from '../persistence/jobs/job-store.js';
import { createJobQueue } from '../persistence/jobs/job-queue.js';
import { createPostStore } from '../persistence/posts/post-store.js';
import { createPurgeStore } from '../persistence/jobs/purge-store.js';
import { createSandboxStore } from '../persistence/networks/sandbox-store.js';
import { createRemovalStore } from '../persistence/publishing/removal-store.js';
import { createPublicationLedger } from '../persistence/publishing/publication-ledger.js';
import { createSandboxDeliveryStore } from '../persistence/publishing/sandbox-deliveries.js';
import { createAccountStatusStore } from '../persistence/workspaces/suspension-store.js';
import { createAccountStatusService } from '../services/accounts/account-status.js';
import type { WorkerMetrics } from '../metrics/process-metrics.js';
import type { Tracing } from '../tracing/process-tracing.js';
import {
  createAccountConnector,
  createEditTargetResolver,
} from '../services/networks/edit-target.js';
import { createNetworkEdits } from '../services/networks/network-edits.js';
import type { Networks } from '../services/networks/network-ports.js';
import { systemClock, type Clock } from '../services/clock.js';
import { createPublicationFollower } from '../services/jobs/follow-publications.js';
import { createMediaFetching } from '../services/media/fetch-media.js';
import { createUnusedFiles } from '../services/media/purge-media.js';
import { createPurge } from '../services/jobs/purge.js';
import { createRedelivery } from '../services/webhooks/redeliver.js';
import { createRedeliveryQueue } from '../persistence/webhooks/redelivery-queue.js';
import { composeDeliveryLoop } from './webhooks/compose-webhooks.js';
import { createIds } from '../services/ids.js';
import {
  createRemovalGiveUp,
  createRemovals,
  type RemovalDependencies,
} from '../services/removals/remove-posts.js';
import { createPublicationGiveUp, createPublishing } from '../services/publishing/publish-post.js';
import type { PublishingDependencies } from '../services/publishing/settle-publication.js';

interface WorkerDependencies {
  readonly log: Logger;
  readonly clock?: Clock;
  readonly networks?: Networks;
  readonly metrics?: WorkerMetrics | undefined;
  readonly tracing?: Tracing | undefined;
}

/** Builds the worker on an open database: for the gateway's process, and for `npm run worker`. */
export function composeWorker(
  config: Config,
  database: ConfiguredDatabase,
  {
    log,
    clock = systemClock,
    tracing = NO_TRACING,
    networks = composeNetworks(config, {
      clock,
      tracing,
      storedMedia: composeStoredMedia(config, database),
    }),
    metrics,
  }: WorkerDependencies,
): Worker {
  const keys = openCredentialKeys(config, database);
  const connect = createAccountConnector({
    networks,
    sandbox: createSandboxNetwork({
      store: createSandboxStore(database),
      deliveries: createSandboxDeliveryStore(database),
      clock,
    }),
    credentials: createCredentialStore(database, keys),
    logError: (message) => log.error(message),
  });
  const store = createPostStore(database, {
    traceparent: () => tracing.traceparent(),
  });
  const accountStatus = createAccountStatusService({
    accounts: createAccountStatusStore(database),
    store,
    clock,
  });
  const ids = createIds(clock);
  const publishing: PublishingDependencies = {
    ledger: createPublicationLedger(database),
    connect,
    accountStatus,
    store,
    ids,
    clock,
    random: Math.random,
    metrics: metrics?.publications,
  };
  const removing: RemovalDependencies = { ...publishing, removals: createRemovalStore(database) };
  const media = {
    ...composeMediaFiles(config),
    source: composeMediaSource(config),
    files: createMediaFileStore(database),
    clock,
  };
  const followPublications = createPublicationFollower(createFollowedPostsStore(database));
  const handlers: JobHandlers = {
    network_edit: createNetworkEdits({
      edits: createNetworkEditStore(database),
      resolveEditTarget: createEditTargetResolver(connect),
      accountStatus,
      store,
      clock,
      random: Math.random,
    }),
    publish: createPublishing(publishing),
    unpublish: createRemovals(removing),
    create: followPublications,
    share: followPublications,
    // Jobs of earlier releases. Notifications are events, which webhooks receive.
    notification: () => Promise.resolve({ kind: 'completed', failures: [] }),
    media: createMediaFetching(media),
    webhook: createRedelivery({ queue: createRedeliveryQueue(database), clock }),
    purge: createPurge({
      store: createPurgeStore(database),
      unusedFiles: createUnusedFiles(media),
      events: createEventPartitions(database),
      eventRetentionDays: config.eventRetentionDays,
      clock,
    }),
  };
  const worker = createWorker({
    queue: createJobQueue(database, log),
    handlers: tracing.jobHandlers(handlers),
    giveUp: tracing.jobHandlers({
      publish: createPublicationGiveUp(publishing),
      unpublish: createRemovalGiveUp(removing),
    }),
    log,
    metrics: metrics?.jobs,
    concurrency: config.jobConcurrency,
    periodicTasks: composePeriodicTasks(config, { database, store, ids, clock, log }),
  });
  const deliveries = composeDeliveryLoop(config, {
    database,
    keys,
    ids,
    clock,
    log,
    metrics: metrics?.webhooks,
    tracing,
  });
  return {
    start() {
      worker.start();
      if (config.jobConcurrency > 0) deliveries.start();
    },
    async stop(timeoutMs) {
      await Promise.all([worker.stop(timeoutMs), deliveries.stop(timeoutMs)]);
    },
  };
}
