import type { EventPosition } from '../../domain/events/event.js';
import type { StoredEvent } from '../../domain/events/visible-event.js';
import { writeEventCursor } from './event-cursor.js';
import { eventIdOf } from './live-event.js';
import type { EventPositions } from './event-positions.js';
import type { WorkspaceFeeds } from './workspace-feeds.js';

/** An event as operators see it: names and IDs, also of private drafts. */
export interface TailedEvent extends Omit<StoredEvent, 'position' | 'current' | 'post' | 'user'> {
  readonly id: string;
  readonly userId: string | null;
  readonly cursor: string;
}

/** Which events to tail. */
export interface TailRequest {
  readonly workspaceId: string;
  /** Cursor of an earlier event; null starts with the present. */
  readonly after: string | null;
  /** Ends the tail. */
  readonly signal: AbortSignal;
}

/** Reads the events of a workspace as they happen. */
export interface EventTail {
  /** @throws GatewayError BAD_USER_INPUT, CURSOR_EXPIRED */
  events(request: TailRequest): AsyncGenerator<TailedEvent, void, undefined>;
}

interface EventTailDependencies {
  readonly feeds: WorkspaceFeeds;
  readonly positions: EventPositions;
}

/** Creates the tail of events for operators. */
export const createEventTail = ({ feeds, positions }: EventTailDependencies): EventTail => ({
  async *events({ workspaceId, after, signal }) {
    const from = after === null ? null : await positions.read(workspaceId, after, 'after');
    const horizon = await feeds.horizon();
    if (from) positions.assertContinues(from, horizon);
    const { database } = horizon;
    const present = positions.present(horizon);
    const client = { workspaceId, database, fields: new Set<never>() };
    const sequence = feeds.join(client, { start: from?.position ?? present, present });
    const end = (): void => sequence.end('closed');
    signal.addEventListener('abort', end);
    const cursorOf = (position: EventPosition): string =>
      writeEventCursor({ database, workspaceId }, position);
    try {
      if (signal.aborted) end();
      for (let item = await sequence.next(); item; item = await sequence.next()) {
        const { position, current: _current, post: _post, user, ...event } = item.event;
        const id = eventIdOf(database, position);
        yield { id, ...event, userId: user?.id ?? null, cursor: cursorOf(position) };
      }
    } finally {
      signal.removeEventListener('abort', end);
      end();
      await feeds.close();
    }
  },
});
