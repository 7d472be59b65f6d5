import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Log } from '../domain/log.js';
import { createKeyStore } from '../persistence/access/key-store.js';
import { createIdempotencyStore } from '../persistence/changes/idempotency-store.js';
import { createAccountStore } from '../persistence/credentials/account-store.js';
import { createCredentialStore } from '../persistence/credentials/credential-store.js';
import type { Database } from '../persistence/database.js';
import { createEventStore } from '../persistence/events/event-store.js';
import { createEventWakeups } from '../persistence/events/insert-events.js';
import { createHistoryStore } from '../persistence/history/history-store.js';
import { createJobStore } from '../persistence/jobs/job-store.js';
import { createMediaFileStore } from '../persistence/media/media-file-store.js';
import { createMediaStore } from '../persistence/media/media-store.js';
import { createSandboxStore } from '../persistence/networks/sandbox-store.js';
import { createSandboxTimelineStore } from '../persistence/networks/sandbox-timelines.js';
import { createAnalyticsReader } from '../persistence/numbers/analytics-reader.js';
import { createPostingScheduleStore } from '../persistence/posting-schedules/posting-schedule-store.js';
import { createPostStore } from '../persistence/posts/post-store.js';
import { createAccountStatusStore } from '../persistence/workspaces/suspension-store.js';
import { createLabelStore } from '../persistence/workspaces/label-store.js';
import { createWorkspaceRecordStore } from '../persistence/workspaces/workspace-record-store.js';
import { createCurrentGrants } from '../services/access/current-grants.js';
import { createAccountStatusService } from '../services/accounts/account-status.js';
import type { Clock } from '../services/clock.js';
import { createEventPositions } from '../services/events/event-positions.js';
import { createChanges } from '../services/events/list-changes.js';
import {
  createLiveEvents,
  type StreamMetrics,
  type LiveEvents,
} from '../services/events/live-events.js';
import { createStreamSlots, type SharedStreamCounts } from '../services/events/stream-slots.js';
import { createEventTail, type EventTail } from '../services/events/tail-events.js';
import { createWorkspaceFeeds } from '../services/events/workspace-feeds.js';
import { createHistory } from '../services/history/history.js';
import { createIds } from '../services/ids.js';
import { createJobPayloads } from '../services/jobs/job-payload.js';
import { createMediaLibrary } from '../services/media/media.js';
import type { MediaMetrics } from '../services/media/media-quota.js';
import { adapterCapabilities } from '../services/networks/adapter-capabilities.js';
import type { Networks } from '../services/networks/network-ports.js';
import { createSandbox } from '../services/networks/sandbox.js';
import { createPostingSchedules } from '../services/posting-schedules/posting-schedules.js';
import { blogHtmlInSlices } from '../services/posts/blog-html/blog-html.js';
import { createPosts } from '../services/posts/posts.js';
import type { Services } from '../services/services.js';
import { createLabels } from '../services/workspaces/labels.js';
import type { Tracing } from '../tracing/process-tracing.js';
import { composeCalendarFeeds } from './calendar-feeds.js';
import { composeMediaFiles, composeMediaSource, mediaQuotas } from './media.js';
import { openCredentialKeys, type ConfiguredDatabase } from './open-database.js';
import { composeConnections } from './networks.js';
import { composeWebhooks } from './webhooks.js';

interface ServiceDependencies extends Pick<Services, 'liveEvents'> {
  readonly database: ConfiguredDatabase;
  readonly networks: Networks;
  readonly clock: Clock;
  /** URL of the process. */
  readonly url: () => string;
  readonly tracing: Tracing;
  readonly log: Logger;
  readonly mediaMetrics?: MediaMetrics | undefined;
}

/** Builds the use cases on an open database. */
export function composeServices(
  config: Config,
  { database, networks, liveEvents, clock, url, tracing, log, mediaMetrics }: ServiceDependencies,
): Services {
  const { eventRetentionDays } = config;
  const ids = createIds(clock);
  const traceparent = (): string | null => tracing.traceparent();
  const idempotency = createIdempotencyStore(database);
  const store = createPostStore(database, {
    traceparent,
  });
  const workspaceRecords = createWorkspaceRecordStore(database);
  const postingSchedules = createPostingScheduleStore(database);
  const history = createHistoryStore(database);
  const posts = createPosts({
    history,
    store,
    workspaceRecords,
    postingSchedules,
    idempotency,
    ids,
    clock,
  });
  const keys = openCredentialKeys(config, database);
  const accountStatus = createAccountStatusService({
    accounts: createAccountStatusStore(database),
    store,
    clock,
  });
  return {
    posts,
    postingSchedules: createPostingSchedules({
      postingSchedules,
      workspaceRecords,
      store,
      clock,
    }),
    liveEvents,
    history: createHistory(history),
    changes: createChanges({
      store: createEventStore(database),
      clock,
      eventRetentionDays,
    }),
    ...composeConnections(config, {
      accounts: createAccountStore(database, keys),
      credentials: createCredentialStore(database, keys),
      accountStatus,
      ids,
      clock,
      networks,
      database,
      keys,
      url,
      tracing,
      logError: (error, message) => log.error({ err: error }, message),
    }),
    labels: createLabels({
      labels: createLabelStore(database),
      store,
      workspaceRecords,
      clock,
    }),
    media: createMediaLibrary({
      ...composeMediaFiles(config),
      source: composeMediaSource(config),
      files: createMediaFileStore(database, traceparent),
      media: createMediaStore(database),
      quotas: mediaQuotas(config),
      metrics: mediaMetrics,
      posts: store,
      workspaceRecords,
      idempotency,
      ids,
      clock,
      baseUrl: database.mediaBaseUrl,
    }),
    sandbox: createSandbox({
      posts,
      store: createSandboxStore(database),
      timelines: createSandboxTimelineStore(database),
      accountStatus,
      clock,
    }),
    webhooks: composeWebhooks(config, {
      database,
      keys,
      ids,
      clock,
      tracing,
    }),
    calendarFeeds: composeCalendarFeeds(config, { database, workspaceRecords, ids, clock, url }),
    analytics: createAnalyticsReader(database),
    jobs: createJobStore(database),
    jobPayloads: createJobPayloads(store),
    workspaceRecords,
    visiblePosts: store,
    adapters: adapterCapabilities(networks),
    blogHtml: blogHtmlInSlices,
  };
}

interface FeedParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

interface LiveEventsParts extends FeedParts {
  readonly database: Database;
  /** Null without Redis. */
  readonly streamCounts: SharedStreamCounts | null;
  readonly metrics?: StreamMetrics | undefined;
}

type EventConfig = Pick<Config, 'eventRetentionDays'>;

function composeFeeds({ eventRetentionDays }: EventConfig, { database, clock, log }: FeedParts) {
  const store = createEventStore(database);
  const positions = createEventPositions({ store, clock, eventRetentionDays });
  const wakeups = createEventWakeups(database, log);
  return { positions, feeds: createWorkspaceFeeds({ store, positions, wakeups }) };
}

/** Builds the tail of events for operators. */
export const composeEventTail = (config: EventConfig, parts: FeedParts): EventTail =>
  createEventTail(composeFeeds(config, parts));

/** Builds the streams of events of a gateway. */
export function composeLiveEvents(config: EventConfig, parts: LiveEventsParts): LiveEvents {
  const { database, clock, streamCounts, metrics } = parts;
  return createLiveEvents({
    ...composeFeeds(config, parts),
    grants: createCurrentGrants(createKeyStore(database), clock),
    slots: createStreamSlots(streamCounts),
    accounts: createWorkspaceRecordStore(database),
    acknowledge: () => database.acknowledge(),
    metrics,
  });
}
