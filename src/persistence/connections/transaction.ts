import type pg from 'pg';
import { GatewayError } from '../../domain/errors.js';
import {
  type Sql,
  type Statement,
  runEach,
  sqlOn,
  toCommitError,
  toUnavailableError,
} from '../sql.js';

/** Changes can wait for locks and for synchronous standbys; reads keep the rest of the pool. */
const MAX_POOL_SHARE = 0.6;
const DEFAULT_TIMEOUT_MS = 5_000;

/**
 * Limits the connections that changes hold at the same time.
 * @throws GatewayError UNAVAILABLE if no connection gets free in time
 */
type LimitChanges = <T>(work: () => Promise<T>) => Promise<T>;

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

/** The work of a transaction. An exception rolls it back. */
export type TransactionWork<T> = (
  sql: Sql,
  /**
   * Adds statements that are sent together with COMMIT, which saves a round trip. If one of them
   * fails, COMMIT rolls back.
   */
  atEnd: (statements: readonly Statement[]) => void,
) => Promise<T>;

/** Runs `work` in a transaction, on a connection of the pool. */
export async function runTransaction<T>(pool: pg.Pool, work: TransactionWork<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toUnavailableError(error);
  });
  const sql = sqlOn(client);
  const last: Statement[] = [];
  let connectionError: Error | undefined;
  try {
    // Sent together with the first statement, which fails as well if BEGIN does.
    client.query('BEGIN').catch(() => undefined);
    const result = await work(sql, (statements) => last.push(...statements));
    await Promise.all([runEach(sql, last), client.query('COMMIT')]).catch((error: unknown) => {
      throw toCommitError(error);
    });
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      connectionError = failure;
    });
    throw toUnavailableError(error);
  } finally {
    client.release(connectionError);
  }
}
