import type { Change, PublicationWrite, RemovalWrite } from '../../domain/changes/change.js';
import { NotSavedError } from '../changes/change-conditions.js';
import { SCHEDULE_NUMBERS } from '../numbers/numbers-store.js';
import type { Sql } from '../sql.js';

const START =
  'INSERT INTO post_removal (job_id, post_id, sent_id, deletes_post, key_id, api) VALUES ($1, $2, $3, $4, $5, $6)';
const END =
  'UPDATE post_removal SET ended_at = $3, failure = $4::jsonb WHERE job_id = $1 AND post_id = $2 AND ended_at IS NULL';

const writeRemoval = (sql: Sql, { actor, at }: Change, write: RemovalWrite) =>
  write.kind === 'start'
    ? sql(START, [
        write.jobId,
        write.postId,
        write.sentId,
        write.deletesPost,
        actor.keyId,
        actor.api,
      ])
    : sql(END, [write.jobId, write.postId, at, write.failure && JSON.stringify(write.failure)]);

/** Starts and ends removals of posts from their networks. */
export async function writeRemovals(sql: Sql, change: Change): Promise<void> {
  for (const write of change.removals) await writeRemoval(sql, change, write);
}

/** The lease of the run, locked until the transaction ends. $1: job, $2: its attempt. */
export const LEASE =
  "lease AS (SELECT FROM job WHERE id = $1 AND attempts = $2 AND status = 'working' AND leased_until IS NOT NULL FOR SHARE)";

/**
 * Ends the open attempt, if there is one, and records the result. Without a job, no lease is
 * needed.
 */
const WRITE_RESULT = `
WITH ${LEASE},
closed AS (
  UPDATE publication_attempt SET finished_at = $5::timestamptz, error = $7::jsonb
   WHERE post_id = $3::bigint AND number = $4::int AND finished_at IS NULL AND ($1::text IS NULL OR EXISTS (SELECT FROM lease))
  RETURNING 1
)
UPDATE publication SET result = $6::publication_result, error = $7::jsonb, published_at = $8::timestamptz
 WHERE post_id = $3::bigint AND (EXISTS (SELECT FROM closed) OR ($4::int IS NULL AND ($1::text IS NULL OR EXISTS (SELECT FROM lease))))
RETURNING 1`;

/** $1: the published post, $2: the recycling post that it was published for. */
const COPY = `
INSERT INTO publication (post_id, due_at, handed_over_at, job_id, attempts, result, published_at)
SELECT $1, due_at, handed_over_at, job_id, attempts - earlier_attempts, result, published_at FROM publication WHERE post_id = $2`;

async function writePublication(sql: Sql, at: Date, write: PublicationWrite): Promise<void> {
  const { postId, attempt, lease, result, error, publishedAt } = write;
  const rows = await sql(WRITE_RESULT, [
    lease?.jobId ?? null,
    lease?.jobAttempt ?? null,
    postId,
    attempt,
    at,
    result,
    error && JSON.stringify(error),
    publishedAt,
  ]);
  if (rows.length === 0) throw new NotSavedError({ kind: 'conflict' });
  if (write.copyTo !== undefined) await sql(COPY, [write.copyTo, postId]);
  if (publishedAt) await sql(SCHEDULE_NUMBERS, [write.copyTo ?? postId, publishedAt]);
}

/**
 * Records the results of publications.
 * @throws NotSavedError if an attempt was ended by another process, or a lease was lost
 */
export async function writePublications(sql: Sql, { publications, at }: Change): Promise<void> {
  for (const write of publications) await writePublication(sql, at, write);
}
