import { isAfter, type EventPosition } from '../../domain/events/event.js';
import { STREAM_LIMITS } from '../../domain/events/stream-limits.js';
import type { StoredEvent } from '../../domain/events/visible-event.js';
import {
  BATCH_SIZE,
  isUnavailable,
  readBatch,
  sleep,
  type EventBatch,
  type EventFeed,
  type FeedListener,
  type ReadAfter,
} from './event-feed.js';

const RETRY_MS = 500;

/**
 * Waits before the database is asked again. @throws the error, unless the database is unavailable
 */
export async function waitIfUnavailable(error: unknown): Promise<null> {
  if (!isUnavailable(error)) throw error;
  await sleep(RETRY_MS);
  return null;
}

/** Why a stream has ended, other than by an error that its client gets. */
export type StreamEnd = 'closed' | 'too_slow' | 'shutdown';

/** The events of a workspace for one client, in order, each once. */
export interface EventSequence {
  /**
   * The next event, and when it was read (`performance.now()`); null after the end.
   * @throws Error if the stream cannot continue, such as a GatewayError of the client's key
   */
  next(): Promise<{ readonly event: StoredEvent; readonly readAt: number } | null>;
  /** The client takes no more events until `drained` resolves. Ends with the sequence. */
  waitFor(drained: Promise<void>): Promise<void>;
  /** Has no effect after the end. */
  end(reason: StreamEnd | Error): void;
  /** Calls `listener` when the sequence has ended. */
  onEnd(listener: (reason: StreamEnd | Error) => void): void;
  /** Null while the stream is open. */
  readonly ended: StreamEnd | Error | null;
}

interface SequenceOptions {
  readonly feed: EventFeed;
  /** Events before the position of the feed are read separately. */
  readonly position: EventPosition;
  readonly read: ReadAfter;
}

interface OpenBatch {
  readonly batch: EventBatch;
  index: number;
  /** Tells the feed that it need not wait. */
  readonly settle: () => void;
}

/**
 * Creates the sequence of a client. It reads for itself until it has reached the position of the
 * feed, and from then on takes the batches that the feed offers. If it still works on a batch when
 * the next one is offered, it reads for itself again.
 */
export function createEventSequence({ feed, position, read }: SequenceOptions): EventSequence {
  /** Of the last event that was returned, or the end of the last batch. */
  let current = position;
  let open: OpenBatch | null = null;
  let isLive = false;
  let isBlocked = false;
  /** Events that were offered while the client took none. */
  let eventsBehind = 0;
  let ended: StreamEnd | Error | null = null;
  let wakeUp: (() => void) | undefined;
  let unblock: (() => void) | undefined;
  const endListeners: ((reason: StreamEnd | Error) => void)[] = [];

  function openBatch(batch: EventBatch, settle: () => void): void {
    open = { batch, index: 0, settle };
    wakeUp?.();
  }

  function closeBatch(): void {
    if (open && isAfter(open.batch.end, current)) current = open.batch.end;
    open?.settle();
    open = null;
  }

  const listener: FeedListener = {
    offer(batch) {
      if (isLive && !open && !isBlocked)
        return new Promise((resolve) => openBatch(batch, () => resolve()));
      isLive = false;
      if (isBlocked) eventsBehind += batch.size;
      if (eventsBehind >= STREAM_LIMITS.eventsBehind) end('too_slow');
      return null;
    },
    end,
  };
  feed.add(listener);

  function end(reason: StreamEnd | Error): void {
    if (ended) return;
    ended = reason;
    feed.remove(listener);
    open?.settle();
    open = null;
    wakeUp?.();
    unblock?.();
    endListeners.forEach((onEnd) => onEnd(reason));
  }

  /** The next event of the open batch that was not returned before; null at its end. */
  async function take(): Promise<StoredEvent | null> {
    while (open && open.index < open.batch.size) {
      const event = await open.batch.event(open.index);
      // It may have ended in the meantime.
      if (!open) return null;
      open.index += 1;
      if (isAfter(event.position, current)) return event;
    }
    return null;
  }

  /** Continues with the batches of the feed if all events before them were returned. */
  function joinFeed(): boolean {
    isLive = !isAfter(feed.position, current);
    if (isLive) eventsBehind = 0;
    return isLive;
  }

  /** Reads events that the feed has offered before. Waits while the database is unavailable. */
  async function readMore(): Promise<void> {
    const batch = await readBatch(read, current, BATCH_SIZE).catch(waitIfUnavailable);
    if (batch) openBatch(batch, () => undefined);
  }

  const nextBatch = (): Promise<void> =>
    new Promise((resolve) => {
      wakeUp = () => {
        wakeUp = undefined;
        resolve();
      };
    });

  return {
    async next() {
      while (!ended) {
        const event = await take();
        if (event) {
          current = event.position;
          if (!isLive && eventsBehind > 0) eventsBehind -= 1;
          return { event, readAt: open!.batch.readAt };
        }
        // A batch may have been offered in the meantime.
        if (ended || (open && open.index < open.batch.size)) continue;
        closeBatch();
        if (isLive || joinFeed()) await nextBatch();
        else await readMore();
      }
      if (ended instanceof Error) throw ended;
      return null;
    },
    async waitFor(drained) {
      isBlocked = true;
      open?.settle();
      await new Promise<void>((resolve) => {
        unblock = resolve;
        void drained.then(resolve);
      });
      isBlocked = false;
    },
    end,
    onEnd: (onEnd) => void endListeners.push(onEnd),
    get ended() {
      return ended;
    },
  };
}
