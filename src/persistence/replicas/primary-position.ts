import type pg from 'pg';
import type { LogPosition } from '../../domain/access/log-position.js';
import { pipelinedConnectionsOf } from '../pipelined-connections.js';
import { shareStatements } from '../shared-statements/statement-sharing.js';
import { run } from '../sql.js';
import { inBytes } from './log-position-sql.js';

/**
 * A position at or after every commit that has been acknowledged. Not the position up to which the
 * log is on disk: without `synchronous_commit`, a commit is acknowledged earlier.
 */
const CURRENT = `SELECT ${inBytes('pg_current_wal_insert_lsn()')} AS position`;

/**
 * Reads the position of the primary: all commits that were acknowledged before the call are before
 * it. Concurrent calls share a statement.
 * @throws Error if the primary does not answer, or if it is none
 */
export function createPrimaryPosition(pool: pg.Pool): () => Promise<LogPosition> {
  const read = async (): Promise<LogPosition> => {
    const [row] = await run<{ position: LogPosition }>(pipelinedConnectionsOf(pool), CURRENT);
    return row!.position;
  };
  const readShared = shareStatements<null, LogPosition>({
    async together(calls) {
      const position = await read();
      return calls.map(() => position);
    },
    alone: read,
  });
  return () => readShared(null);
}
