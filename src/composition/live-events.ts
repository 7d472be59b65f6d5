import type { Config } from '../config/config.js';
import { createKeyStore } from '../persistence/access/key-store.js';
import type { Database } from '../persistence/database.js';
import { createEventStore } from '../persistence/events/event-store.js';
import { createEventWakeups } from '../persistence/events/event-wakeups.js';
import { createWorkspaceRecordStore } from '../persistence/workspaces/workspace-record-store.js';
import { createCurrentGrants } from '../services/access/current-grants.js';
import type { Clock } from '../services/clock.js';
import { createEventPositions } from '../services/events/event-positions.js';
import {
  createLiveEvents,
  type LiveEvents,
  type StreamMetrics,
} from '../services/events/live-events.js';
import { createStreamSlots, type SharedStreamCounts } from '../services/events/stream-slots.js';
import { createEventTail, type EventTail } from '../services/events/tail-events.js';
import { createWorkspaceFeeds } from '../services/events/workspace-feeds.js';
import type { Log } from '../domain/log.js';

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
