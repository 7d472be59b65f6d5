import type { ClaimedDelivery, DeliveryQueue } from '../persistence/webhooks/delivery-queue.js';
import type { EventDispatch } from '../persistence/webhooks/event-dispatch.js';
import type { Clock } from '../services/clock.js';
import type { WorkerLog } from './job-attempts.js';
import { withFallback } from './periodic-task.js';
import { settleWithin } from './settle-within.js';
import { createWakeSignal } from './wake-signal.js';

/** Writes deliveries for new events, and sends the due ones. */
export interface DeliveryLoop {
  start(): void;
  /** Claims no more deliveries, and waits up to `timeoutMs` for those that are being sent. */
  stop(timeoutMs: number): Promise<void>;
}

interface DeliveryLoopOptions {
  readonly events: EventDispatch;
  readonly queue: Pick<DeliveryQueue, 'claim'>;
  readonly send: (delivery: ClaimedDelivery) => Promise<void>;
  readonly clock: Clock;
  readonly log: WorkerLog;
}

const POLL_INTERVAL_MS = 1_000;
/** Messages that a process sends at the same time, to fast and to slow receivers. */
const SLOTS = { fast: 32, slow: 8 } as const;

/** Creates the loop of a process. It is not started yet. */
export function createDeliveryLoop({
  events,
  queue,
  send,
  clock,
  log,
}: DeliveryLoopOptions): DeliveryLoop {
  const running = new Map<Promise<void>, ClaimedDelivery>();
  const signal = createWakeSignal();
  let isStopping = false;
  let loop: Promise<void> = Promise.resolve();

  const warn =
    (message: string) =>
    (error: unknown): void =>
      log.warn({ err: error }, message);
  const dispatch = withFallback(
    () => events.dispatch(clock.now()),
    false,
    warn('Failed to read events for webhooks'),
  );
  const claim = withFallback(queue.claim, [], warn('Failed to claim deliveries of webhooks'));

  function start(delivery: ClaimedDelivery): void {
    const { id: deliveryId, webhookId } = delivery;
    const task: Promise<void> = send(delivery)
      .catch((error: unknown) =>
        log.warn(
          { err: error, deliveryId, webhookId },
          'Failed to record a delivery of a webhook; it is sent again when its lease expires',
        ),
      )
      .finally(() => {
        running.delete(task);
        signal.wake();
      });
    running.set(task, delivery);
  }

  function freeSlots(): { fast: number; slow: number } {
    const slow = [...running.values()].filter(({ isSlow }) => isSlow).length;
    return { fast: SLOTS.fast - (running.size - slow), slow: SLOTS.slow - slow };
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const hasMoreEvents = await dispatch();
      const deliveries = await claim(clock.now(), freeSlots());
      deliveries.forEach(start);
      if (!hasMoreEvents) await signal.sleep(POLL_INTERVAL_MS);
    }
  }

  return {
    start() {
      if (!isStopping) loop = run();
    },
    async stop(timeoutMs) {
      isStopping = true;
      signal.wake();
      await loop;
      await settleWithin(running.keys(), timeoutMs);
    },
  };
}
