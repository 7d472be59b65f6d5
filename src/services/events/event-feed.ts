import { GatewayError } from '../../domain/errors.js';
import type { EventPosition } from '../../domain/events/event.js';
import type { StoredEvent } from '../../domain/events/visible-event.js';

/** Milliseconds after which the posts of events that were read are read again. */
const MAX_AGE_MS = 1_000;

/** Events that were read, and where the reader is after them. */
export interface ReadEvents {
  readonly events: readonly StoredEvent[];
  readonly end: EventPosition;
  /** Whether more events can be read now. */
  readonly hasMore: boolean;
  /** Whether there are events that cannot be read yet, because of a running transaction. */
  readonly hasPending: boolean;
}

/** Reads the next events, at most `limit`. */
export type ReadAfter = (after: EventPosition, limit: number) => Promise<ReadEvents>;

/** Events with their posts, shared by all streams that get them. */
export interface EventBatch {
  readonly size: number;
  readonly end: EventPosition;
  /** `performance.now()` after the events were read: rights that were read before may be older. */
  readonly readAt: number;
  /**
   * Returns an event. If it was read a while ago, it is read again with its post, which may have
   * become private: once for all streams.
   */
  event(index: number): StoredEvent | Promise<StoredEvent>;
}

/** Reads the events after a position. */
export async function readBatch(
  read: ReadAfter,
  after: EventPosition,
  limit: number,
): Promise<EventBatch & Pick<ReadEvents, 'hasMore' | 'hasPending'>> {
  let startedAt = performance.now();
  const { events: first, ...page } = await read(after, limit);
  let readAt = performance.now();
  let events = first;
  let refreshing: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const now = performance.now();
    // The same events: none can be added before their end.
    events = (await read(after, events.length)).events;
    startedAt = now;
    readAt = performance.now();
  }

  return {
    ...page,
    size: events.length,
    get readAt() {
      return readAt;
    },
    event(index) {
      if (performance.now() - startedAt < MAX_AGE_MS) return events[index]!;
      refreshing ??= refresh().finally(() => (refreshing = undefined));
      return refreshing.then(() => events[index]!);
    },
  };
}

/** A stream of the events of a feed. */
export interface FeedListener {
  /** Offers the next events. Resolves when the feed need not wait for this stream any more. */
  offer(batch: EventBatch): Promise<void> | null;
  /** Ends the stream: the feed cannot continue. */
  end(error: Error): void;
}

export const isUnavailable = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'UNAVAILABLE';

/** The only reader of the events of a workspace in this process, shared by its streams. */
export interface EventFeed {
  /** All events up to here were offered. */
  readonly position: EventPosition;
  readonly listeners: ReadonlySet<FeedListener>;
  add(listener: FeedListener): void;
  remove(listener: FeedListener): void;
  /** Reads and offers the new events. */
  wake(): void;
  close(): void;
}

/** Events in one batch. */
export const BATCH_SIZE = 100;
/** The feed waits this long for streams, so that all of them use the same batch. */
const MAX_WAIT_MS = 2_000;
/** Pause before events are read that a running transaction holds back, and before a failed read. */
const RETRY_MS = { pending: 20, failed: 500 } as const;

/** Waits for some milliseconds. */
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** Creates the feed of a workspace, which starts at `position`. */
export function createEventFeed(position: EventPosition, read: ReadAfter): EventFeed {
  const listeners = new Set<FeedListener>();
  let isReading = false;
  let isWoken = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  async function offer(batch: EventBatch): Promise<void> {
    const waits = [...listeners].flatMap((listener) => listener.offer(batch) ?? []);
    if (waits.length > 0) await Promise.race([Promise.all(waits), sleep(MAX_WAIT_MS)]);
  }

  /** Reads up to the horizon. Returns the pause before it has to be read again; null for none. */
  async function readAll(): Promise<number | null> {
    for (;;) {
      const batch = await readBatch(read, position, BATCH_SIZE);
      position = batch.end;
      if (batch.size > 0) await offer(batch);
      if (!batch.hasMore) return batch.hasPending ? RETRY_MS.pending : null;
      if (isClosed) return null;
    }
  }

  /** Streams wait while the database is unavailable. They end if it is another one now. */
  function onReadError(error: unknown): number {
    if (!isUnavailable(error)) for (const listener of listeners) listener.end(error as Error);
    return RETRY_MS.failed;
  }

  async function run(): Promise<void> {
    if (isReading) return;
    isReading = true;
    clearTimeout(retry);
    while (isWoken && !isClosed) {
      isWoken = false;
      const pauseMs = await readAll().catch(onReadError);
      if (pauseMs !== null && !isClosed) retry = setTimeout(wake, pauseMs).unref();
    }
    isReading = false;
  }

  function wake(): void {
    isWoken = true;
    void run();
  }

  return {
    get position() {
      return position;
    },
    listeners,
    add: (listener) => void listeners.add(listener),
    remove: (listener) => void listeners.delete(listener),
    wake,
    close() {
      isClosed = true;
      clearTimeout(retry);
    },
  };
}
