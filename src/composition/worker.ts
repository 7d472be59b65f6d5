import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { createWorker, type Worker, type PeriodicTask } from '../jobs/worker.js';
import { createLog } from '../log/log.js';
import type { WorkerMetrics } from '../metrics/process-metrics.js';
import { createSandboxNetwork } from '../networks/sandbox.js';
import type { CredentialKeys } from '../persistence/credentials/credential-keys.js';
import { createAccountStore } from '../persistence/credentials/account-store.js';
import { createRenewalStore, type RenewalStore } from '../persistence/credentials/renewal-store.js';
import { createConnectionCare } from '../services/accounts/renewals.js';
import { createPendingConnections } from '../persistence/credentials/pending-connections.js';
import { createCredentialStore } from '../persistence/credentials/credential-store.js';
import type { Database } from '../persistence/database.js';
import { createEventPartitions } from '../persistence/events/event-partitions.js';
import { createJobQueue } from '../persistence/jobs/job-queue.js';
import { createFollowedPostsStore } from '../persistence/jobs/job-store.js';
import { createPurgeStore } from '../persistence/jobs/purge-store.js';
import { createMediaFileStore } from '../persistence/media/media-file-store.js';
import { createNetworkEditStore } from '../persistence/networks/network-edit-store.js';
import { createSandboxStore } from '../persistence/networks/sandbox-store.js';
import { createNumbersStore } from '../persistence/numbers/numbers-store.js';
import { createPostStore, type PostStore } from '../persistence/posts/post-store.js';
import { createDuePosts, createDueSeriesStore } from '../persistence/publishing/due-posts.js';
import { createPublicationLedger } from '../persistence/publishing/publication-ledger.js';
import { createPublishingPauses } from '../persistence/publishing/publishing-pauses.js';
import { createRemovalStore } from '../persistence/publishing/removal-store.js';
import { createWorkspaceRecordStore } from '../persistence/workspaces/workspace-record-store.js';
import { createSandboxDeliveryStore } from '../persistence/publishing/sandbox-deliveries.js';
import { createRedeliveryQueue } from '../persistence/webhooks/redelivery-queue.js';
import { createAccountStatusStore } from '../persistence/workspaces/suspension-store.js';
import { createAccountStatusService } from '../services/accounts/account-status.js';
import type { Clock } from '../services/clock.js';
import { createIds, type Ids } from '../services/ids.js';
import { createPublicationFollower } from '../services/jobs/follow-publications.js';
import type { JobHandlers } from '../services/jobs/job-handler.js';
import { createPurge, createUnusedFiles } from '../services/jobs/purge.js';
import { createMediaFetching } from '../services/media/fetch-media.js';
import {
  createAccountConnector,
  createEditTargetResolver,
} from '../services/networks/edit-target.js';
import { createNetworkEdits } from '../services/networks/network-edits.js';
import type { Networks } from '../services/networks/network-ports.js';
import { createNumbersReading } from '../services/numbers/read-numbers.js';
import { createSeriesExtension } from '../services/posts/series/extend-series.js';
import { createPublicationGiveUp, createPublishing } from '../services/publishing/publish-post.js';
import type { PublishingDependencies } from '../services/publishing/settle-publication.js';
import { createPauseWatch } from '../services/publishing/watch-pause.js';
import {
  createRemovalGiveUp,
  createRemovals,
  type RemovalDependencies,
} from '../services/removals/remove-posts.js';
import { createRedelivery } from '../services/webhooks/redeliver.js';
import type { Tracing } from '../tracing/process-tracing.js';
import {
  composeMediaFiles,
  composeMediaSource,
  composePublishedFiles,
  mediaQuotas,
  composeStorageCheck,
} from './media.js';
import { composeNetworks, composeRenewals } from './networks.js';
import {
  openCredentialKeys,
  openMigratedDatabase,
  type ConfiguredDatabase,
} from './open-database.js';
import {
  NO_TRACING,
  openTracing,
  openMetricsServer,
  composeReadiness,
  readsNumbers,
} from './telemetry.js';
import { composeDeliveryLoop } from './webhooks.js';

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
    clock = database.clock,
    tracing = NO_TRACING,
    networks = composeNetworks(config, {
      clock,
      tracing,
      files: composePublishedFiles(config, database),
    }),
    metrics,
  }: WorkerDependencies,
): Worker {
  const keys = openCredentialKeys(config, database);
  const ids = createIds(clock);
  const renewalStore = createRenewalStore(database, keys);
  const renewals = composeRenewals(config, {
    store: renewalStore,
    clock,
    tracing,
    metrics: metrics?.renewals,
  });
  const credentials = createCredentialStore(database, keys);
  const connect = createAccountConnector({
    networks,
    renew: ({ id }, refused) => renewals.replace(id, refused),
    sandbox: createSandboxNetwork({
      store: createSandboxStore(database),
      deliveries: createSandboxDeliveryStore(database),
      clock,
    }),
    credentials,
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
    quotas: mediaQuotas(config),
    metrics: metrics?.media,
    posts: store,
    workspaceRecords: createWorkspaceRecordStore(database),
    ids,
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
    numbers: createNumbersReading({
      store: createNumbersStore(database),
      connect,
      accountStatus,
      clock,
    }),
    connection: createConnectionCare({
      store: renewalStore,
      renewals,
      networks,
      accounts: createAccountStore(database, keys),
      credentials,
      accountStatus,
      ids,
      clock,
      logError: (error, message) => log.error({ err: error }, message),
    }),
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
    periodicTasks: composePeriodicTasks(config, {
      database,
      keys,
      store,
      renewalStore,
      ids,
      clock,
      log,
    }),
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

/** How often each worker looks for posts whose time has come (D52). */
const SWEEP_INTERVAL_MS = 1_000;
/** How often each worker finds out whether publication was paused or resumed (D56). */
const PAUSE_CHECK_INTERVAL_MS = 5_000;
/** How often each worker looks for series that need occurrences (D60). */
const SERIES_INTERVAL_MS = 1_000;
/** How often each worker deletes the tokens of expired connections (D83). */
const CONNECTION_CLEANUP_MS = 60_000;
/** How often each worker looks for numbers of published posts that are due (D91). */
const NUMBERS_INTERVAL_MS = 10_000;
/** More often than posts become too old to be found: they are looked for within an hour. */
const MISSED_NUMBERS_INTERVAL_MS = 20 * 60_000;
/** Accounts whose numbers are read next. */
const MAX_ACCOUNTS_PER_RUN = 200;
/** How often each worker looks for connections that need a renewal or a check (D86). */
const CONNECTION_CARE_MS = 15_000;
/** Series extended at once: few, because due posts wait for them. */
const MAX_SERIES_PER_RUN = 10;
/** Posts handed over in one statement: few enough that their rows are not locked for long. */
const MAX_POSTS_PER_SWEEP = 1_000;

interface TaskDependencies {
  readonly database: Database;
  readonly keys: CredentialKeys;
  readonly store: PostStore;
  readonly renewalStore: RenewalStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What every worker does at intervals, apart from its jobs. */
function composePeriodicTasks(
  config: Config,
  { database, keys, store, renewalStore, ids, clock, log }: TaskDependencies,
): PeriodicTask[] {
  const duePosts = createDuePosts(database);
  const extendSeries = createSeriesExtension({
    dueSeries: createDueSeriesStore(database),
    store,
    ids,
    clock,
  });
  const publishing: PeriodicTask[] = [
    {
      intervalMs: SWEEP_INTERVAL_MS,
      run: () => duePosts.handOver(MAX_POSTS_PER_SWEEP),
      failure: 'Failed to hand over due posts',
    },
    {
      intervalMs: PAUSE_CHECK_INTERVAL_MS,
      run: createPauseWatch({ watch: createPublishingPauses(database), log }),
      failure: 'Failed to check whether publication is paused',
    },
  ];
  const numbers = createNumbersStore(database);
  const pending = createPendingConnections(database, keys);
  return [
    ...(config.publishPosts ? publishing : []),
    ...(readsNumbers(config)
      ? [
          {
            intervalMs: NUMBERS_INTERVAL_MS,
            run: () => numbers.enqueue(MAX_ACCOUNTS_PER_RUN),
            failure: 'Failed to find published posts whose numbers are due',
          },
          {
            intervalMs: MISSED_NUMBERS_INTERVAL_MS,
            run: () => numbers.scheduleMissed(),
            failure: 'Failed to find posts that earlier versions have published',
          },
        ]
      : []),
    {
      intervalMs: CONNECTION_CLEANUP_MS,
      run: () => pending.cleanUp(),
      failure: 'Failed to delete expired connections',
    },
    {
      intervalMs: CONNECTION_CARE_MS,
      run: () => renewalStore.schedule(),
      failure: 'Failed to schedule renewals of connections',
    },
    {
      intervalMs: SERIES_INTERVAL_MS,
      run: () => extendSeries(MAX_SERIES_PER_RUN),
      failure: 'Failed to create occurrences of series',
    },
  ];
}

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
      metrics.collectFrom({
        database,
        readiness: composeReadiness(database, composeStorageCheck(config)),
      });
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
