import { createClientShares, type ClientNames } from './client-shares.js';

/** Why a request gets no place: the process, or its client, has too many requests. */
export type Rejection = 'overloaded' | 'client limit';

/**
 * A request that needs a place. One of the two is called, once; neither if the request ends while
 * it is queued.
 */
export interface QueuedRequest {
  /** Empty if the places of clients are not counted. */
  readonly client: ClientNames;
  start(): void;
  /** The request waited too long, or the queue was full. */
  reject(reason: Rejection): void;
}

/**
 * Limits the number of requests processed concurrently. Requests without a place wait in a short
 * queue.
 */
export interface AdmissionQueue {
  /**
   * Starts the request, queues it or rejects it. Returns a function that must be called when the
   * request no longer needs its place; further calls do nothing.
   */
  acquire(request: QueuedRequest): () => void;
}

/**
 * Long enough to ride out a short CPU or GC stall, short enough that the client can still retry
 * elsewhere.
 */
const MAX_WAIT_MS = 1_500;
const EXPIRY_CHECK_MS = 50;
/**
 * Queue length per place. More would not start within MAX_WAIT_MS, and each queued request keeps a
 * connection open.
 */
const QUEUE_FACTOR = 8;

interface QueueEntry extends QueuedRequest {
  /** `performance.now()` when the request was queued, in milliseconds. */
  readonly queuedAt: number;
  state: 'queued' | 'started' | 'over';
}

interface QueueLimits {
  /** Requests that are processed at once. */
  readonly places: number;
  /** How many of them belong to one client at most. */
  readonly placesPerClient?: number;
}

/**
 * Rejects requests that exceed the capacity (D41): a FIFO queue with a length and a deadline. A
 * request whose client has all its places lets others pass.
 */
export function createAdmissionQueue({
  places,
  placesPerClient = Infinity,
}: QueueLimits): AdmissionQueue {
  const queue: QueueEntry[] = []; // oldest first
  const shares = createClientShares(placesPerClient);
  const queuedShares = createClientShares(QUEUE_FACTOR * placesPerClient);
  const maxQueued = QUEUE_FACTOR * places;
  let placesInUse = 0;
  let expiryTimer: NodeJS.Timeout | undefined;

  const canStart = ({ client }: QueueEntry): boolean =>
    placesInUse < places && shares.hasRoom(client);

  function start(entry: QueueEntry): void {
    placesInUse += 1;
    shares.take(entry.client);
    entry.state = 'started';
    entry.start();
  }

  function enqueue(entry: QueueEntry): void {
    queue.push(entry);
    queuedShares.take(entry.client);
    expiryTimer ??= setInterval(rejectExpired, EXPIRY_CHECK_MS).unref();
  }

  function dequeue(index: number): QueueEntry {
    const entry = queue.splice(index, 1)[0]!;
    queuedShares.giveBack(entry.client);
    return entry;
  }

  function startQueued(): void {
    while (placesInUse < places) {
      const index = queue.findIndex(canStart);
      if (index < 0) return;
      start(dequeue(index));
    }
  }

  function end(entry: QueueEntry): void {
    const { state } = entry;
    entry.state = 'over';
    if (state === 'queued') dequeue(queue.indexOf(entry));
    if (state !== 'started') return;
    placesInUse -= 1;
    shares.giveBack(entry.client);
    startQueued();
  }

  function reject(entry: QueueEntry): void {
    entry.state = 'over';
    entry.reject(shares.hasRoom(entry.client) ? 'overloaded' : 'client limit');
  }

  function rejectExpired(): void {
    const now = performance.now();
    while (queue[0] && now - queue[0].queuedAt > MAX_WAIT_MS) reject(dequeue(0));
    if (queue.length > 0) return;
    clearInterval(expiryTimer);
    expiryTimer = undefined;
  }

  return {
    acquire(request) {
      const entry: QueueEntry = { ...request, queuedAt: performance.now(), state: 'queued' };
      if (canStart(entry)) start(entry);
      else if (queue.length < maxQueued && queuedShares.hasRoom(entry.client)) enqueue(entry);
      else reject(entry);
      return () => end(entry);
    },
  };
}
