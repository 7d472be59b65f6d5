import type {
  CountExpectations,
  SharedRateCounter,
  SharedWindowCount,
} from '../services/access/access-ports.js';

/**
 * Increments a window by the number of requests. Returns the count of the last of them, 0 if
 * nothing was counted, or null while the counter is unavailable.
 */
type IncrementBy = (
  key: string,
  requests: number,
  expectations: CountExpectations,
) => Promise<SharedWindowCount | null>;

/** The requests of a user that arrived in the same turn of the event loop. */
interface Batch {
  readonly key: string;
  expectations: CountExpectations;
  requests: number;
  readonly last: Promise<SharedWindowCount | null>;
  readonly resolve: (last: Promise<SharedWindowCount | null>) => void;
}

function createBatch(key: string, expectations: CountExpectations): Batch {
  let resolve!: Batch['resolve'];
  const last = new Promise<SharedWindowCount | null>((settle) => (resolve = settle));
  return { key, expectations, requests: 0, last, resolve };
}

/**
 * Lets the requests of one user that arrive in the same turn of the event loop share an increment.
 * Each gets its own place in the window, in the order of the calls, as if they had been counted one
 * by one. The increment is sent after all of them arrived, so that it returns a grants version that
 * was current after each of them started. Requests that expect different grants versions do not
 * share, and a request never joins an increment that was sent before.
 */
export function shareIncrements(incrementBy: IncrementBy): SharedRateCounter['increment'] {
  let batches = new Map<string, Batch>();

  function sendAll(): void {
    const sent = batches;
    batches = new Map();
    for (const { key, requests, expectations, resolve } of sent.values())
      resolve(incrementBy(key, requests, expectations));
  }

  function join(key: string, expectations: CountExpectations): Batch {
    const id = `${key} ${expectations.grantsVersion ?? '*'}`;
    let batch = batches.get(id);
    if (!batch) {
      if (batches.size === 0) setImmediate(sendAll);
      batches.set(id, (batch = createBatch(key, expectations)));
    }
    // the latest: counts of other requests may have arrived since the first
    if (expectations.known) batch.expectations = expectations;
    return batch;
  }

  return async (key, expectations = {}) => {
    const batch = join(key, expectations);
    const place = ++batch.requests;
    const last = await batch.last;
    if (last === null || last.count === 0) return last;
    return { ...last, count: last.count - batch.requests + place };
  };
}
