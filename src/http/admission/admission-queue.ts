/**
 * A request that needs a permit. One of the two is called, once; neither if the request ends while
 * it is queued.
 */
export interface QueuedRequest {
  start(): void;
  /** The request waited too long, or the queue overflowed. */
  reject(): void;
}

/**
 * Limits the number of requests processed concurrently. Requests without a permit wait in a short
 * queue.
 */
export interface AdmissionQueue {
  /**
   * Starts the request, or queues it. Returns a function that must be called when the request is
   * over.
   */
  acquire(request: QueuedRequest): () => void;
  /** To be called for each accepted connection: more may be waiting in the kernel's backlog. */
  connectionAccepted(): void;
}

/**
 * Long enough to ride out a short CPU or GC stall, short enough that the client can still retry
 * elsewhere.
 */
const MAX_WAIT_MS = 1_500;
/** While overflowing, the queue stays FIFO until its oldest request has waited this long. */
const FIFO_WAIT_MS = 300;
const EXPIRY_CHECK_MS = 50;
/**
 * Queue length per permit. More would not start within MAX_WAIT_MS, and each queued request keeps a
 * connection open.
 */
const QUEUE_FACTOR = 8;
/**
 * While every tick of the event loop accepts a connection, one in this many starts a request. If
 * each tick started all it could, it would last as long as that work, and a burst of connections
 * would be accepted at a few hundred per second.
 */
const TICKS_PER_START = 8;

interface QueueEntry extends QueuedRequest {
  /** `performance.now()` when the request was queued, in milliseconds. */
  readonly queuedAt: number;
  hasStarted: boolean;
}

/**
 * Rejects requests that exceed the capacity (D41). The queue is FIFO until it overflows, so that a
 * delay of a second or two rejects nothing. While it overflows, FIFO would make every request wait
 * for the maximum time; until it is empty again the queue is LIFO: requests that start have hardly
 * waited, and the others are rejected soon.
 *
 * libuv accepts one connection per tick of the event loop, and a tick lasts as long as the work in
 * it. In a burst, many connections would wait for seconds in the kernel's backlog, where no
 * response can reach them. So while each tick accepts a connection, few requests start: ticks stay
 * short, and several thousand connections per second are accepted.
 */
export function createAdmissionQueue(maxConcurrentRequests: number): AdmissionQueue {
  const queue: QueueEntry[] = []; // oldest first
  let permitsInUse = 0;
  let expiryTimer: NodeJS.Timeout | undefined;
  let nextTick: NodeJS.Immediate | undefined;
  let isOverflowing = false;
  let hasAccepted = false;
  let acceptingTicks = 0;

  function start(request: QueuedRequest): void {
    permitsInUse += 1;
    request.start();
  }

  function release(): void {
    permitsInUse -= 1;
    if (!nextTick) startQueued();
  }

  function startQueued(max = Infinity): void {
    for (let started = 0; started < max && permitsInUse < maxConcurrentRequests; started += 1) {
      const [oldest] = queue;
      if (!oldest) break;
      const isLifo = isOverflowing && performance.now() - oldest.queuedAt > FIFO_WAIT_MS;
      const next = isLifo ? queue.pop()! : queue.shift()!;
      next.hasStarted = true;
      start(next);
    }
    isOverflowing &&= queue.length > 0;
  }

  function rejectOldest(): void {
    isOverflowing = true;
    queue.shift()!.reject();
  }

  function onTick(): void {
    const isAccepting = hasAccepted;
    hasAccepted = false;
    nextTick = isAccepting ? setImmediate(onTick) : undefined;
    if (!isAccepting) startQueued();
    else if (++acceptingTicks % TICKS_PER_START === 0) startQueued(1);
  }

  function enqueue(request: QueuedRequest): () => void {
    const entry: QueueEntry = { ...request, queuedAt: performance.now(), hasStarted: false };
    queue.push(entry);
    if (queue.length > QUEUE_FACTOR * maxConcurrentRequests) rejectOldest();
    expiryTimer ??= setInterval(rejectExpired, EXPIRY_CHECK_MS).unref();
    return () => {
      const index = queue.indexOf(entry);
      if (entry.hasStarted) release();
      else if (index >= 0) queue.splice(index, 1);
    };
  }

  function rejectExpired(): void {
    const now = performance.now();
    while (queue[0] && now - queue[0].queuedAt > MAX_WAIT_MS) rejectOldest();
    if (queue.length > 0) return;
    clearInterval(expiryTimer);
    expiryTimer = undefined;
  }

  return {
    acquire(request) {
      if (nextTick || permitsInUse >= maxConcurrentRequests) return enqueue(request);
      start(request);
      return release;
    },
    connectionAccepted() {
      hasAccepted = true;
      nextTick ??= setImmediate(onTick);
    },
  };
}
