/** A request without a response. */
interface PendingRequest {
  /** `performance.now()` when the request was complete, in milliseconds. */
  readonly receivedAt: number;
}

/** Why a request timed out. */
export type TimeoutReason = 'database does not respond' | 'too long';

/** Age at which a pending request times out if the database probe fails. */
const TIMEOUT_MS = 1_000;
/**
 * Age of a pending request at which the database is probed: with the deadline of the probe and the
 * interval of the checks, the request times out in under 2 s.
 */
const PROBE_AGE_MS = 600;
/**
 * Age at which a pending request times out regardless of what the database says: more than a
 * statement may take, and less than the time after which a duplicate takes over its idempotency
 * record.
 */
export const MAX_AGE_MS = 25_000;
const CHECK_INTERVAL_MS = 250;

/**
 * Times out requests while the database does not respond: clients get a 503 within 2 s (D41). While
 * the database responds, requests may take 25 s. The timer runs only while requests are pending.
 * @param pending requests, oldest first
 * @param onTimeout must remove the request from `pending`
 */
export function createRequestTimeouts<R extends PendingRequest>(
  pending: Iterable<R>,
  isDatabaseResponsive: () => Promise<boolean>,
  onTimeout: (request: R, reason: TimeoutReason) => void,
): { watch(): void } {
  let timer: NodeJS.Timeout | undefined;

  function olderThan(ageMs: number): R[] {
    const receivedBefore = performance.now() - ageMs;
    const requests: R[] = [];
    for (const request of pending) {
      if (request.receivedAt > receivedBefore) break;
      requests.push(request);
    }
    return requests;
  }

  async function check(): Promise<void> {
    const [oldest] = pending;
    if (!oldest) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    for (const request of olderThan(MAX_AGE_MS)) onTimeout(request, 'too long');
    if (olderThan(PROBE_AGE_MS).length > 0 && !(await isDatabaseResponsive()))
      for (const request of olderThan(TIMEOUT_MS)) onTimeout(request, 'database does not respond');
  }

  return {
    watch() {
      timer ??= setInterval(() => void check(), CHECK_INTERVAL_MS).unref();
    },
  };
}
