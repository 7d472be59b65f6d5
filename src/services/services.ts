import type { Network } from '../domain/networks/networks.js';
import type { ContentBlock } from '../domain/posts/post-content.js';
import type { JobStore } from '../persistence/jobs/job-store.js';
import type { AnalyticsReader } from '../persistence/numbers/analytics-reader.js';
import type { AdapterCapabilities } from './networks/adapter-capabilities.js';
import type { WorkspaceRecordStore } from '../persistence/workspaces/workspace-record-store.js';
import type { MediaLibrary } from './media/media.js';
import type { JobPayloads } from './jobs/job-payload.js';
import type { AccountConnections } from './accounts/account-connections.js';
import type { ConnectLinks } from './accounts/connect-links.js';
import type { Consents } from './accounts/consents.js';
import type { Changes } from './events/list-changes.js';
import type { LiveEvents } from './events/live-events.js';
import type { History } from './history/history.js';
import type { VisiblePosts } from '../persistence/posts/post-reader.js';
import type { CalendarFeeds } from './posts/calendar-feeds.js';
import type { Posts } from './posts/posts.js';
import type { PostingSchedules } from './posting-schedules/posting-schedules.js';
import type { Sandbox } from './networks/sandbox.js';
import type { Webhooks } from './webhooks/webhooks.js';
import type { Labels } from './workspaces/labels.js';

/** The services that the APIs use. */
export interface Services {
  readonly posts: Posts;
  readonly changes: Changes;
  /** Streams of events as they happen. */
  readonly liveEvents: LiveEvents;
  readonly history: History;
  readonly jobs: JobStore;
  readonly jobPayloads: JobPayloads;
  /** Numbers of published posts over time. */
  readonly analytics: AnalyticsReader;
  readonly workspaceRecords: WorkspaceRecordStore;
  /** The connections of accounts with their networks. */
  readonly accountConnections: AccountConnections;
  readonly labels: Labels;
  /** Connections of accounts by consent on a page of the network. */
  readonly consents: Consents;
  /** Links with which people without a key connect accounts. */
  readonly connectLinks: ConnectLinks;
  /** Addresses from which calendar programs read posts. */
  readonly calendarFeeds: CalendarFeeds;
  readonly media: MediaLibrary;
  readonly sandbox: Sandbox;
  readonly postingSchedules: PostingSchedules;
  readonly webhooks: Webhooks;
  /** Reads of posts; `posts` changes them. */
  readonly visiblePosts: VisiblePosts;
  /** Capabilities of the adapter for each network. */
  readonly adapters: Readonly<Record<Network, AdapterCapabilities>>;
  /** Content blocks as sanitized HTML for a blog (D25). */
  readonly blogHtml: (content: readonly ContentBlock[]) => string | Promise<string>;
}
