import { createHash } from 'node:crypto';
import type { EventPosition } from '../../domain/events/event.js';
import type { Viewer } from '../../domain/access/viewer.js';
import {
  toVisibleEvent,
  visibilityOf,
  type EventVisibility,
  type StoredEvent,
  type VisibleEvent,
} from '../../domain/events/visible-event.js';
import { writeEventCursor, type CursorScope } from './event-cursor.js';

/** Hexadecimal digits of an ID. */
const LENGTH = 24;

/**
 * The public ID of an event: the same in all APIs and processes. It follows from the position, but
 * does not show it: sequences tell how much happens in other workspaces.
 */
export const eventIdOf = (
  database: string,
  { transactionId, sequence }: Pick<EventPosition, 'transactionId' | 'sequence'>,
): string => {
  const hash = createHash('sha256').update(`event ${database} ${transactionId} ${sequence}`);
  return `evt_${hash.digest('hex').slice(0, LENGTH)}`;
};

/** An event as a viewer sees it, with its public ID and cursor. */
export interface LiveEvent extends VisibleEvent {
  readonly id: string;
  readonly cursor: string;
}

/** Presents events to viewers. */
export interface LiveEventPresenter {
  /**
   * The event as the viewer sees it; null if the viewer may know nothing of it. The same object,
   * which is frozen, for all viewers who may know the same.
   */
  present(event: StoredEvent, viewer: Viewer, scope: CursorScope): LiveEvent | null;
}

function toLiveEvent(
  event: StoredEvent,
  visibility: EventVisibility,
  scope: CursorScope,
): LiveEvent {
  const { position } = event;
  return Object.freeze({
    ...toVisibleEvent(event, visibility),
    id: eventIdOf(scope.database, position),
    cursor: writeEventCursor(scope, position),
  });
}

/** Creates the presenter of a process, which presents an event once for each visibility. */
export function createLiveEventPresenter(): LiveEventPresenter {
  const presented = new WeakMap<StoredEvent, Map<EventVisibility, LiveEvent>>();
  return {
    present(event, viewer, scope) {
      const visibility = visibilityOf(event, viewer);
      if (!visibility) return null;
      const known = presented.get(event) ?? new Map<EventVisibility, LiveEvent>();
      presented.set(event, known);
      const live = known.get(visibility) ?? toLiveEvent(event, visibility, scope);
      known.set(visibility, live);
      return live;
    },
  };
}
