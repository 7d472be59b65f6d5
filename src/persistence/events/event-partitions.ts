import type { Database } from '../database.js';
import type { Sql } from '../sql.js';

/** The weekly partitions of the events. Locks that are not free are left to the next purge. */
export interface EventPartitions {
  /** Creates the partitions of all weeks between two times that have none. False if locked. */
  add(from: Date, until: Date): Promise<boolean>;
  /** Drops the partitions of which all events are older. False if one is locked. */
  drop(before: Date): Promise<boolean>;
  /** Deletes at most `max` older events that are in no weekly partition, and returns how many. */
  deleteUnpartitioned(before: Date, max: number): Promise<number>;
}

/**
 * Changes wait while a partition is attached or dropped, and that waits for running transactions: a
 * backup, for example. It is then left to the next purge.
 */
const LOCK_TIMEOUT = '1s';
const LOCK_NOT_AVAILABLE = '55P03';

const ONE_PROCESS = "SELECT pg_advisory_xact_lock(hashtextextended('event partitions', 0))";

/** Partitions of a week that ended before $1; the name contains the Monday of the week. */
const EXPIRED = `
SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
 WHERE i.inhparent = 'event'::regclass AND c.relname ~ '^event_[0-9]{8}$'
   AND to_date(right(c.relname, 8), 'YYYYMMDD') + 7 <= ($1::timestamptz AT TIME ZONE 'UTC')
 ORDER BY 1`;

const DELETE_DEFAULT =
  'WITH deleted AS (DELETE FROM event_default WHERE ctid = ANY(ARRAY(SELECT ctid FROM event_default WHERE at < $1 ORDER BY at LIMIT $2)) RETURNING 1) ' +
  'SELECT count(*)::int AS count FROM deleted';

/** Runs `work` in a transaction; false if it would have to wait for locks. */
async function unlessLocked(
  database: Database,
  work: (sql: Sql) => Promise<unknown>,
): Promise<boolean> {
  try {
    await database.transaction(async (sql) => {
      await sql(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
      await work(sql);
    });
    return true;
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    if (cause?.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

/** The weekly partitions of the table `event`. */
export const createEventPartitions = (database: Database): EventPartitions => ({
  add: (from, until) =>
    unlessLocked(database, async (sql) => {
      await sql(ONE_PROCESS);
      await sql('SELECT add_event_partitions($1, $2)', [from, until]);
    }),
  async drop(before) {
    const expired = await database.scan<{ name: string }>(EXPIRED, [before]);
    for (const { name } of expired)
      if (!(await unlessLocked(database, (sql) => sql(`DROP TABLE ${name}`)))) return false;
    return true;
  },
  async deleteUnpartitioned(before, max) {
    const [row] = await database.change<{ count: number }>(DELETE_DEFAULT, [before, max]);
    return row!.count;
  },
});
