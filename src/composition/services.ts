import type { Config } from '../config/config.js';
import { openCredentialKeys } from './open-database.js';
import type { ConfiguredDatabase } from './open-database.js';
import { createWorkspaceRecordStore } from '../persistence/workspaces/workspace-record-store.js';
import { createIdempotencyStore } from '../persistence/changes/idempotency-store.js';
import { createEventStore } from '../persistence/events/event-store.js';
import { createMediaFileStore } from '../persistence/media/media-file-store.js';
import { createHistoryStore } from '../persistence/history/history-store.js';
import { createJobStore } from '../persistence/jobs/job-store.js';
import { createDisplayedPosts } from '../persistence/posts/displayed-posts.js';
import { createPostStore } from '../persistence/posts/post-store.js';
import { createPostingScheduleStore } from '../persistence/posting-schedules/posting-schedule-store.js';
import { createSandboxStore } from '../persistence/networks/sandbox-store.js';
import { createSandboxTimelineStore } from '../persistence/networks/sandbox-timelines.js';
import { createAccountStatusStore } from '../persistence/workspaces/suspension-store.js';
import { adapterCapabilities } from '../services/networks/adapter-capabilities.js';
import { createMediaLibrary } from '../services/media/media.js';
import { composeMediaFiles, composeMediaSource } from './media.js';
import { composeWebhooks } from './webhooks.js';
import { createAccountStatusService } from '../services/accounts/account-status.js';
import { blogHtml } from '../services/posts/blog-html/blog-html.js';
import type { Networks } from '../services/networks/network-ports.js';
import type { Clock } from '../services/clock.js';
import { createChanges } from '../services/events/list-changes.js';
import { createHistory } from '../services/history/history.js';
import { createIds } from '../services/ids.js';
import { createPosts } from '../services/posts/posts.js';
import { createSandbox } from '../services/networks/sandbox.js';
import { createPostingSchedules } from '../services/posting-schedules/posting-schedules.js';
import { createJobPayloads } from '../services/jobs/job-payload.js';
import type { Services } from '../services/services.js';
import type { Tracing } from '../tracing/process-tracing.js';

interface ServiceDependencies extends Pick<Services, 'liveEvents'> {
  readonly database: ConfiguredDatabase;
  readonly networks: Networks;
  readonly clock: Clock;
  /** URL of the process: of media, unless MEDIA_BASE_URL is set. */
  readonly url: string;
  readonly tracing: Tracing;
}

/** Builds the use cases on an open database. */
export function composeServices(
  config: Config,
  { database, networks, liveEvents, clock, url, tracing }: ServiceDependencies,
): Services {
  const { eventRetentionDays, mediaBaseUrl } = config;
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
    media: createMediaLibrary({
      ...composeMediaFiles(config),
      source: composeMediaSource(config),
      files: createMediaFileStore(database, traceparent),
      idempotency,
      ids,
      clock,
      baseUrl: mediaBaseUrl ?? url,
    }),
    sandbox: createSandbox({
      posts,
      store: createSandboxStore(database),
      timelines: createSandboxTimelineStore(database),
      accountStatus: createAccountStatusService({
        accounts: createAccountStatusStore(database),
        store,
        clock,
      }),
      clock,
    }),
    webhooks: composeWebhooks(config, {
      database,
      keys: openCredentialKeys(config, database),
      ids,
      clock,
      tracing,
    }),
    jobs: createJobStore(database),
    jobPayloads: createJobPayloads(store),
    workspaceRecords,
    postReader: createDisplayedPosts(database),
    adapters: adapterCapabilities(networks),
    blogHtml,
  };
}
