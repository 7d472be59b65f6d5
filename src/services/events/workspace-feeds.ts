import { GatewayError } from '../../domain/errors.js';
import type { EventPosition } from '../../domain/events/event.js';
import type { Post } from '../../domain/posts/post.js';
import type { EventHorizon, EventStore } from '../../persistence/events/event-store.js';
import type { EventWakeups } from '../../persistence/events/insert-events.js';
import { createEventFeed, type EventFeed, type ReadAfter } from './event-feed.js';
import type { EventPositions } from './event-positions.js';
import { createEventSequence, type EventSequence } from './event-stream.js';

/** A client of a feed. */
interface FeedClient {
  readonly workspaceId: string;
  /** The database in which its position is valid. */
  readonly database: string;
  /** Properties of the posts that it needs. */
  readonly fields: ReadonlySet<keyof Post>;
}

/** One reader of events for each workspace that has streams in this process. */
export interface WorkspaceFeeds {
  horizon(): Promise<EventHorizon>;
  /** Adds a client to the feed of its workspace, until its sequence ends. */
  join(
    client: FeedClient,
    from: {
      readonly start: EventPosition;
      /** Where the feed starts if the client is the first one of its workspace. */
      readonly present: EventPosition;
    },
  ): EventSequence;
  close(): Promise<void>;
}

interface WorkspaceFeedsDependencies {
  readonly store: EventStore;
  readonly wakeups: EventWakeups;
  readonly positions: EventPositions;
}

/** Feeds that miss a notification find their events after this time. */
const POLL_INTERVAL_MS = 1_000;

/** A feed, and what its clients need. */
interface WorkspaceFeed extends EventFeed {
  readonly read: ReadAfter;
  /** Replaced when a client needs more. */
  fields: ReadonlySet<keyof Post>;
}

/** Creates the feeds of a process. It listens and polls from the first client on. */
export function createWorkspaceFeeds({
  store,
  wakeups,
  positions,
}: WorkspaceFeedsDependencies): WorkspaceFeeds {
  const feeds = new Map<string, WorkspaceFeed>();
  let listener: { close(): Promise<void> } | undefined;
  let poll: NodeJS.Timeout | undefined;

  /** Wakes the feeds that may have new events. */
  async function wakeAny(): Promise<void> {
    if (feeds.size === 0) return;
    const current = new Map([...feeds].map(([id, { position }]) => [id, position]));
    for (const id of await store.changedWorkspaces(current)) feeds.get(id)?.wake();
  }

  function wake(workspaceIds: readonly string[] | null): void {
    if (workspaceIds) for (const id of workspaceIds) feeds.get(id)?.wake();
    else void wakeAny().catch(() => undefined); // the database is unavailable: the next poll wakes
  }

  function open(
    { workspaceId, database, fields }: FeedClient,
    position: EventPosition,
  ): WorkspaceFeed {
    const read: ReadAfter = async (after, limit) => {
      const page = await store.eventsOf(workspaceId, { after, limit, fields: feed.fields });
      if (page.database !== database) throw new GatewayError('CURSOR_EXPIRED');
      const last = page.events.at(-1);
      return { ...page, end: page.hasMore && last ? last.position : positions.present(page) };
    };
    const feed: WorkspaceFeed = Object.assign(createEventFeed(position, read), { read, fields });
    feeds.set(workspaceId, feed);
    listener ??= wakeups.listen(wake);
    poll ??= setInterval(() => wake(null), POLL_INTERVAL_MS).unref();
    return feed;
  }

  function leave(workspaceId: string, feed: WorkspaceFeed): void {
    if (feed.listeners.size > 0 || feeds.get(workspaceId) !== feed) return;
    feed.close();
    feeds.delete(workspaceId);
  }

  return {
    horizon: () => store.horizon(),
    join(client, { start, present }) {
      const { workspaceId, fields } = client;
      const feed = feeds.get(workspaceId) ?? open(client, present);
      if (![...fields].every((field) => feed.fields.has(field)))
        feed.fields = new Set([...feed.fields, ...fields]);
      const sequence = createEventSequence({ feed, position: start, read: feed.read });
      sequence.onEnd(() => leave(workspaceId, feed));
      return sequence;
    },
    async close() {
      clearInterval(poll);
      for (const feed of feeds.values()) feed.close();
      feeds.clear();
      await listener?.close();
    },
  };
}
