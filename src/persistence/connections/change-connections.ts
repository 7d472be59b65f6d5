import type pg from 'pg';
import { GatewayError } from '../../domain/errors.js';
import type { SqlRunner } from '../sql.js';

/** Changes can wait for locks and for synchronous standbys; reads keep the rest of the pool. */
const MAX_POOL_SHARE = 0.6;
const DEFAULT_TIMEOUT_MS = 5_000;

/** Runs changes, with a limit on the connections that they hold at the same time. */
export interface ChangeConnections extends SqlRunner {
  /** @throws GatewayError UNAVAILABLE if no connection gets free in time */
  limit<T>(work: () => Promise<T>): Promise<T>;
}

function createChangeConnections(pool: pg.Pool): ChangeConnections {
  const { max, connectionTimeoutMillis: timeoutMs = DEFAULT_TIMEOUT_MS } = pool.options;
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

  async function limit<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1;
    else await turn();
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else free += 1;
    }
  }

  return { limit, query: (config) => limit(() => pool.query(config)) };
}

const connectionsByPool = new WeakMap<pg.Pool, ChangeConnections>();

/** The connections of a pool that changes may use, created on first use. */
export function changeConnectionsOf(pool: pg.Pool): ChangeConnections {
  const connections = connectionsByPool.get(pool) ?? createChangeConnections(pool);
  connectionsByPool.set(pool, connections);
  return connections;
}
