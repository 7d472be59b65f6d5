interface SingleFlightOptions<Value> {
  readonly timeoutMs: number;
  /** Result for callers if the call fails or times out. */
  readonly fallback: Value;
}

/**
 * Shares one in-flight call among concurrent callers. On an error or timeout they get `fallback`;
 * the call keeps running, so that a hung dependency is not called again.
 */
export function singleFlight<Value>(
  call: () => Promise<Value>,
  { timeoutMs, fallback }: SingleFlightOptions<Value>,
): () => Promise<Value> {
  let inFlight: Promise<Value> | undefined;
  return async () => {
    inFlight ??= call()
      .catch(() => fallback)
      .finally(() => {
        inFlight = undefined;
      });
    let timer: NodeJS.Timeout | undefined;
    // If this process was blocked, the result may have arrived unread: setImmediate lets pending
    // I/O be read first.
    const timeout = new Promise<Value>((resolve) => {
      timer = setTimeout(() => setImmediate(() => resolve(fallback)), timeoutMs);
    });
    return Promise.race([inFlight, timeout]).finally(() => clearTimeout(timer));
  };
}

/** Metrics scrapes time out after some seconds, and no metric must wait for another one. */
const SCRAPE_TIMEOUT_MS = 1_000;

/** A value that metrics read at each scrape; null if the database does not respond in time. */
export const forScrapes = <Value>(read: () => Promise<Value>): (() => Promise<Value | null>) =>
  singleFlight<Value | null>(read, { timeoutMs: SCRAPE_TIMEOUT_MS, fallback: null });
