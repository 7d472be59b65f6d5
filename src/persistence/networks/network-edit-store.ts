import type { LiveFields } from '../../domain/networks/live-fields.js';
import type { NetworkRateLimit } from '../../domain/networks/network-definition.js';
import type { Post } from '../../domain/posts/post.js';
import type { Database } from '../database.js';
import type { JobRun } from '../jobs/job-queue.js';
import {
  ALL_FIELDS,
  allFromStored,
  toSelectList,
  toPostView,
  type PostRow,
} from '../posts/post-rows.js';
import { readPostRows } from '../posts/related-rows.js';
import type { Sql } from '../sql.js';

/** A published post that has to be edited on its network, in its current saved state. */
export interface NetworkEditSubject {
  readonly post: Post;
  readonly sync: {
    readonly jobId: string | null;
    readonly live: LiveFields;
    readonly inDoubt: boolean;
  };
  /** Remaining pause of its account; 0 if there is none. */
  readonly pausedForMs: number;
}

type SubjectRow = PostRow & { sync: NetworkEditSubject['sync'] | null; pausedForMs: number };

/**
 * A reserved time that is not used within this interval expires: otherwise many delayed jobs would
 * run concurrently.
 */
const RESERVATION_TTL = "interval '5 seconds'";
/** Due times are rounded to milliseconds. */
const ROUNDING_TOLERANCE = "interval '2 milliseconds'";
/** Delay of a job whose rate bucket is full. */
const BUSY_BUCKET_DELAY_MS = 1_000;

type RateBucket = NetworkRateLimit & { readonly bucket: string };
interface BucketRow {
  isFree: boolean;
  isReserved: boolean;
}

// SQL: rates are measured by the time of the server, while the bucket is locked.

/** Locks the row of the rate bucket, so that only one process counts at a time. */
async function lockRateBucket(sql: Sql, bucket: string): Promise<void> {
  await sql(
    "INSERT INTO network_rate_bucket (bucket, next_at) VALUES ($1, '-infinity') ON CONFLICT DO NOTHING",
    [bucket],
  );
  await sql('SELECT 1 FROM network_rate_bucket WHERE bucket = $1 FOR UPDATE', [bucket]);
}

/** Reserves the next free time for the run. Returns the delay in milliseconds, 0 for now. */
async function reserveAttempt(
  sql: Sql,
  { id }: JobRun,
  { bucket, maxConcurrent, maxPerMinute }: RateBucket,
): Promise<number> {
  const intervalMs = 60_000 / maxPerMinute;
  const [row] = await sql<{ inMs: number }>(
    "WITH slot AS (SELECT GREATEST(next_at, clock_timestamp() - $4 * interval '1 millisecond') AS at FROM network_rate_bucket WHERE bucket = $1), " +
      "moved AS (UPDATE network_rate_bucket SET next_at = slot.at + $2 * interval '1 millisecond' FROM slot WHERE bucket = $1), " +
      'reserved AS (UPDATE job SET attempt_at = slot.at FROM slot WHERE id = $3) ' +
      'SELECT (EXTRACT(epoch FROM slot.at - clock_timestamp()) * 1000)::float8 AS "inMs" FROM slot',
    // after a pause, as many may start together as may run concurrently
    [bucket, intervalMs, id, intervalMs * (maxConcurrent - 1)],
  );
  return Math.max(0, Math.ceil(row!.inMs));
}

/** Marks the post as in doubt: if the worker stops now, the live state is unknown. */
async function markSending(sql: Sql, { id, postId }: JobRun, bucket: string): Promise<void> {
  await sql('UPDATE job SET rate_bucket = $2, attempt_at = NULL WHERE id = $1', [id, bucket]);
  await sql('UPDATE post_sync SET in_doubt = true, attempted_at = now() WHERE post_id = $1', [
    postId,
  ]);
}

/** Reads the posts to edit, and limits the rate of edits over all processes. */
export function createNetworkEditStore(database: Database) {
  const { columns, join } = toSelectList(ALL_FIELDS);
  const SUBJECT =
    `SELECT ${columns}, ` +
    "(SELECT json_build_object('jobId', s.job_id, 'live', s.live, 'inDoubt', s.in_doubt) FROM post_sync s WHERE s.post_id = p.id) AS sync, " +
    'COALESCE((SELECT GREATEST(0, EXTRACT(epoch FROM a.paused_until - now()) * 1000) FROM account a WHERE a.id = p.account_id), 0)::float8 AS "pausedForMs" ' +
    `FROM post p ${join} WHERE p.id = $1 AND p.deleted_at IS NULL`;
  return {
    /** Null if the post is deleted. */
    async findSubject(postId: number): Promise<NetworkEditSubject | null> {
      const [row] = await readPostRows<SubjectRow>(
        database,
        { text: SUBJECT, values: [postId] },
        ALL_FIELDS,
      );
      if (!row) return null;
      const { sync, pausedForMs, ...post } = row;
      return {
        post: toPostView(post as PostRow) as Post,
        sync: sync
          ? { ...sync, live: allFromStored(sync.live, database) }
          : { jobId: null, live: {}, inDoubt: true },
        pausedForMs,
      };
    },
    /**
     * Requests a slot in a network's rate bucket for this run. If one is free, the post is marked
     * as in doubt until the run is settled: if the worker dies, the live state is unknown.
     */
    reserveSlot: (
      jobRun: JobRun,
      rateBucket: RateBucket,
    ): Promise<
      { readonly kind: 'started' } | { readonly kind: 'postponed'; readonly inMs: number }
    > =>
      database.transaction(async (sql) => {
        const { bucket, maxConcurrent } = rateBucket;
        await lockRateBucket(sql, bucket);
        const [state] = await sql<BucketRow>(
          'SELECT (SELECT count(*) FROM job WHERE rate_bucket = $1 AND leased_until > now()) < $2 AS "isFree", ' +
            `(SELECT attempt_at BETWEEN clock_timestamp() - ${RESERVATION_TTL} AND clock_timestamp() + ${ROUNDING_TOLERANCE} FROM job WHERE id = $3) IS TRUE AS "isReserved"`,
          [bucket, maxConcurrent, jobRun.id],
        );
        const { isFree, isReserved } = state!;
        const inMs = isFree && isReserved ? 0 : await reserveAttempt(sql, jobRun, rateBucket);
        if (isFree && inMs === 0) {
          await markSending(sql, jobRun, bucket);
          return { kind: 'started' };
        }
        return { kind: 'postponed', inMs: isFree ? inMs : Math.max(inMs, BUSY_BUCKET_DELAY_MS) };
      }),
  };
}

export type NetworkEditStore = ReturnType<typeof createNetworkEditStore>;
