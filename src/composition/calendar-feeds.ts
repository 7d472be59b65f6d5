import type { Config } from '../config/config.js';
import type { Database } from '../persistence/database.js';
import { createCalendarFeedStore } from '../persistence/posts/calendar-feeds.js';
import type { WorkspaceRecordStore } from '../persistence/workspaces/workspace-record-store.js';
import type { Clock } from '../services/clock.js';
import type { Ids } from '../services/ids.js';
import { createCalendarFeeds, type CalendarFeeds } from '../services/posts/calendar-feeds.js';

interface CalendarFeedParts {
  readonly database: Database;
  readonly workspaceRecords: WorkspaceRecordStore;
  readonly ids: Ids;
  readonly clock: Clock;
  /** URL of the process: of the gateway, unless PUBLIC_URL is set. */
  readonly url: () => string;
}

/** Builds the use cases of calendar feeds. */
export const composeCalendarFeeds = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { database, workspaceRecords, url, ...parts }: CalendarFeedParts,
): CalendarFeeds =>
  createCalendarFeeds({
    ...parts,
    store: createCalendarFeedStore(database),
    accounts: workspaceRecords,
    publicUrl: () => publicUrl ?? url(),
  });
