import type { LogPosition } from '../../domain/access/log-position.js';
import type { Database } from '../database.js';
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
export function createPrimaryPosition({
  read,
  share,
}: Pick<Database, 'read' | 'share'>): () => Promise<LogPosition> {
  const readPosition = async (): Promise<LogPosition> => {
    const [row] = await read<{ position: LogPosition }>(CURRENT);
    return row!.position;
  };
  const readShared = share<null, LogPosition>({
    async together(calls) {
      const position = await readPosition();
      return calls.map(() => position);
    },
    alone: readPosition,
  });
  return () => readShared(null);
}
