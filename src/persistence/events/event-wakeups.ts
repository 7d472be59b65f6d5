import type pg from 'pg';
import type { Log } from '../../services/log-port.js';
import type { EventWakeups } from '../../services/events/event-ports.js';
import { listen } from '../connections/listen.js';
import { pipelinedConnectionsOf } from '../pipelined-connections.js';
import { run } from '../sql.js';

/** Application name of the connections on which gateways listen for new events. */
export const EVENTS_APPLICATION_NAME = 'posts-gateway events';
const CHANNEL = 'posts_gateway_events';

/** Pause between two notifications of a process: changes in between share the next one. */
const PAUSE_MS = 10;
/** A notification has at most 8,000 bytes. Beyond this number, it is for all workspaces. */
const MAX_WORKSPACES = 200;
/** Payload of a notification for all workspaces. */
const ANY_WORKSPACE = '';

const NOTIFY = `SELECT pg_notify('${CHANNEL}', $1)`;

/** Announces the events of this process. */
interface Announcer {
  announce(workspaceId: string | null): void;
}

/**
 * After commit and together: NOTIFY within the transactions of changes would commit them one after
 * another. A notification that is lost only delays readers, which also poll.
 */
function createAnnouncer(pool: pg.Pool): Announcer {
  const announced = new Set<string>();
  let isSending = false;

  async function send(): Promise<void> {
    isSending = true;
    while (announced.size > 0 && !pool.ending) {
      const isAny = announced.has(ANY_WORKSPACE) || announced.size > MAX_WORKSPACES;
      const payload = isAny ? ANY_WORKSPACE : [...announced].join(' ');
      announced.clear();
      await run(pipelinedConnectionsOf(pool), NOTIFY, [payload]).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
    }
    isSending = false;
  }

  return {
    announce(workspaceId) {
      announced.add(workspaceId ?? ANY_WORKSPACE);
      if (!isSending) void send();
    },
  };
}

const announcers = new WeakMap<pg.Pool, Announcer>();

/**
 * Wakes the readers of events in all processes. To be called after the commit of a change that
 * wrote events. `workspaceId`: null if it is not known.
 */
export function announceEvents(pool: pg.Pool, workspaceId: string | null): void {
  const announcer = announcers.get(pool) ?? createAnnouncer(pool);
  announcers.set(pool, announcer);
  announcer.announce(workspaceId);
}

/** The wake-ups of readers of events. */
export const createEventWakeups = (pool: pg.Pool, log: Log): EventWakeups => ({
  listen: (wake) =>
    listen(pool, {
      channel: CHANNEL,
      applicationName: EVENTS_APPLICATION_NAME,
      onNotification: (payload) => wake(payload === ANY_WORKSPACE ? null : payload.split(' ')),
      onConnected: () => wake(null),
      onLost: (reason) =>
        log.warn(`Lost the LISTEN connection; polling for new events until it is back: ${reason}`),
    }),
});
