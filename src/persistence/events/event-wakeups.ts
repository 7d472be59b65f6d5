import type { Log } from '../../domain/log.js';
import { notifiedSubjects } from '../connections/notifier.js';
import type { Database } from '../database.js';

/** Tells readers of events, in all processes, that there may be new events. */
export interface EventWakeups {
  /** Calls `wake` with the workspaces that have new events; null: any may have some. */
  listen(wake: (workspaceIds: readonly string[] | null) => void): { close(): Promise<void> };
}

/** Application name of the connections on which gateways listen for new events. */
export const EVENTS_APPLICATION_NAME = 'posts-gateway events';
const CHANNEL = 'posts_gateway_events';

/**
 * Wakes the readers of events in all processes. To be called after the commit of a change that
 * wrote events. `workspaceId`: null if it is not known.
 */
export const announceEvents = (database: Database, workspaceId: string | null): void =>
  database.notify(CHANNEL, workspaceId);

/** The wake-ups of readers of events. */
export const createEventWakeups = (database: Database, log: Log): EventWakeups => ({
  listen: (wake) =>
    database.listen({
      channel: CHANNEL,
      applicationName: EVENTS_APPLICATION_NAME,
      onNotification: (payload) => wake(notifiedSubjects(payload)),
      onConnected: () => wake(null),
      onLost: (reason) =>
        log.warn(`Lost the LISTEN connection; polling for new events until it is back: ${reason}`),
    }),
});
