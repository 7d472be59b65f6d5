import type { PublishingStatus } from '../../domain/publishing/publication.js';
import type { Database } from '../database.js';
import { forScrapes } from '../single-flight.js';
import type { Sql } from '../sql.js';
import { DUE_POSTS, OLDEST_DUE_SECONDS } from './due-conditions.js';

// SQL: compares the oids of tables, and times are those of the server.

/** Pauses because the database has been restored from a dump, which gave its tables other oids. */
const NOTICE_RESTORED_DUMP = `
WITH left_homes AS (DELETE FROM database_home WHERE home <> tableoid RETURNING alive_at),
arrived AS (INSERT INTO database_home (home) SELECT 'database_home'::regclass FROM left_homes LIMIT 1 ON CONFLICT DO NOTHING)
INSERT INTO publishing_pause (backup_at) SELECT min(alive_at) FROM left_homes HAVING count(*) > 0`;

/** A dump is at most this much newer than the time that it contains. */
const STAY_ALIVE =
  "UPDATE database_home SET alive_at = now() WHERE home = tableoid AND alive_at < now() - interval '1 minute'";

/** In a restored dump nothing is published either before a process has noticed it. */
const OPEN_PAUSES = `
SELECT min(paused_at) AS "pausedAt", min(backup_at) AS "backupAt" FROM (
  SELECT paused_at, backup_at FROM publishing_pause WHERE resumed_at IS NULL
  UNION ALL SELECT now(), alive_at FROM database_home WHERE home <> tableoid
) AS pauses`;

const PAUSE = `
INSERT INTO publishing_pause (backup_at)
SELECT $1::timestamptz WHERE $1::timestamptz IS NOT NULL OR NOT EXISTS (SELECT FROM publishing_pause WHERE resumed_at IS NULL)`;

const RESUME =
  'UPDATE publishing_pause SET resumed_at = now() WHERE resumed_at IS NULL RETURNING 1';

/**
 * Pauses publication, also if it is paused already for another reason. `backupAt`: the time of the
 * backup that was restored.
 */
export async function pausePublishing(sql: Sql, backupAt: Date | null): Promise<void> {
  await sql(PAUSE, [backupAt]);
}

/** Posts that are counted: more would make the answer slow. */
const MAX_COUNTED = 10_000;

type DuePostsRow = Pick<PublishingStatus, 'duePosts' | 'oldestDueAt'>;
const readDuePosts = async (database: Database, max: number): Promise<DuePostsRow> =>
  (await database.scan<DuePostsRow>(DUE_POSTS, [max]))[0]!;

/**
 * Seconds since the first due post could have been published that is not, 0 if there is none; null
 * if the database does not respond in time.
 */
export const createOldestDuePost = (database: Database): (() => Promise<number | null>) =>
  forScrapes(
    async () => (await database.scan<{ seconds: number }>(OLDEST_DUE_SECONDS))[0]!.seconds,
  );

type OpenPauses = Pick<PublishingStatus, 'pausedAt' | 'backupAt'>;

/** The pauses of publication in PostgreSQL. */
export function createPublishingPauses(database: Database) {
  const openPauses = async (): Promise<OpenPauses> =>
    (await database.change<OpenPauses>(OPEN_PAUSES))[0]!;
  return {
    /**
     * Pauses publication if the database has become another one, which is how a restored dump is
     * noticed. Returns since when publication is paused; null if it is not.
     */
    async check(): Promise<OpenPauses> {
      await database.change(NOTICE_RESTORED_DUMP);
      await database.change(STAY_ALIVE);
      return openPauses();
    },
    async status(): Promise<PublishingStatus> {
      return { ...(await openPauses()), ...(await readDuePosts(database, MAX_COUNTED)) };
    },
    /**
     * Pauses publication until `resume`. `backupAt`: the database was restored to this time, so
     * that posts which have become due since may already be on their networks.
     */
    pause: (backupAt: Date | null) => pausePublishing(database.change, backupAt),
    /** Returns false if publication was not paused. */
    async resume(): Promise<boolean> {
      await database.change(NOTICE_RESTORED_DUMP);
      return (await database.change(RESUME)).length > 0;
    },
  };
}
export type PublishingPauses = ReturnType<typeof createPublishingPauses>;
