import type pg from 'pg';
import { GatewayError } from '../../domain/errors.js';

/** Changes can wait for locks and for synchronous standbys; reads keep the rest of the pool. */
const MAX_POOL_SHARE = 0.6;
const DEFAULT_TIMEOUT_MS = 5_000;

/**
 * Limits the connections that changes hold at the same time.
 * @throws GatewayError UNAVAILABLE if no connection gets free in time
 */
export type LimitChanges = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates the limit of a pool. */
export function createChangeLimit({ options }: pg.Pool): LimitChanges {
  const { max, connectionTimeoutMillis: timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  let free = Math.max(1, Math.min(max - 1, Math.ceil(max * MAX_POOL_SHARE)));
  const waiting = new Set<() => void>(); // oldest first

  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        waiting.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(
          new GatewayError(
            'UNAVAILABLE',
            'Too many changes wait for the database. Nothing was changed. Retry later.',
          ),
        );
      }, timeoutMs);
      waiting.add(start);
    });

  return async (work) => {
    if (free > 0) free -= 1;
    else await turn();
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else free += 1;
    }
  };
}
