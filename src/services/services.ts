import type { Network } from '../domain/networks/networks.js';
import type { ContentBlock } from '../domain/posts/post-content.js';
import type { JobStore } from '../persistence/jobs/job-store.js';
import type { AdapterCapabilities } from './networks/adapter-capabilities.js';
import type { WorkspaceRecordStore } from '../persistence/workspaces/workspace-record-store.js';
import type { MediaLibrary } from './media/media.js';
import type { JobPayloads } from './jobs/job-payload.js';
import type { Changes } from './events/list-changes.js';
import type { LiveEvents } from './events/live-events.js';
import type { History } from './history/history.js';
import type { PostStore } from '../persistence/posts/post-store.js';
import type { Posts } from './posts/posts.js';
import type { PostingSchedules } from './posting-schedules/posting-schedules.js';
import type { Sandbox } from './networks/sandbox.js';
import type { Webhooks } from './webhooks/webhooks.js';

/** The services that the APIs use. */
export interface Services {
  readonly posts: Posts;
  readonly changes: Changes;
  /** Streams of events as they happen. */
  readonly liveEvents: LiveEvents;
  readonly history: History;
  readonly jobs: JobStore;
  readonly jobPayloads: JobPayloads;
  readonly workspaceRecords: WorkspaceRecordStore;
  readonly media: MediaLibrary;
  readonly sandbox: Sandbox;
  readonly postingSchedules: PostingSchedules;
  readonly webhooks: Webhooks;
  /** Batched reads of posts (`node`, parents, occurrences); changes go through `posts`. */
  readonly postReader: Pick<PostStore, 'byDatabaseId' | 'byDocumentId' | 'occurrences'>;
  /** Capabilities of the adapter for each network. */
  readonly adapters: Readonly<Record<Network, AdapterCapabilities>>;
  /** Content blocks as sanitized HTML for a blog (D25). */
  readonly blogHtml: (content: readonly ContentBlock[]) => string;
}
