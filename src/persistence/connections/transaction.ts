import type pg from 'pg';
import {
  runEach,
  sqlOn,
  toCommitError,
  toUnavailableError,
  type Sql,
  type Statement,
} from '../sql.js';

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
