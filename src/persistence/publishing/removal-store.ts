import type { JobFailure } from '../../domain/jobs/job.js';
import type { Actor } from '../../domain/access/viewer.js';
import type { Post } from '../../domain/posts/post.js';
import type { PublicationPace } from '../../domain/networks/network-definition.js';
import type { Database } from '../database.js';
import type { JobRun } from '../jobs/job-queue.js';
import { toPostView, type PostRow, ALL_FIELDS, toSelectList } from '../posts/post-rows.js';
import { readPostRows } from '../posts/related-rows.js';
import { busyAccountDelayMs, publicationBucketOf } from './publication-ledger.js';
import { LEASE } from './publication-writes.js';

/** A post that a job removes from its network, and that is not done yet. */
export interface RemovalSubject {
  /** As it is now, also if it was deleted in the service. */
  readonly post: Post;
  readonly isDeleted: boolean;
  /** The ID of the post as the client sent it. */
  readonly sentId: string;
  /** Whether the post is deleted in the service once its network does not have it. */
  readonly deletesPost: boolean;
  /** Calls to the network so far. */
  readonly attempts: number;
  /** Who asked for the removal. */
  readonly actor: Actor;
}

/** How far a job is. */
export interface RemovalProgress {
  /** Milliseconds until the next call is due; null if every removal has ended. */
  readonly nextInMs: number | null;
  /** Posts that are no longer on their networks. */
  readonly removed: number;
  /** The posts that were rejected, and those that could not be removed. */
  readonly failures: readonly JobFailure[];
}

/** A post whose removal is due. */
export interface DueRemoval {
  readonly postId: number;
  readonly accountId: string | null;
}

/** Whether a call may be made now. `stopped`: the run lost its lease, or the removal has ended. */
export type RemovalStart =
  | { readonly kind: 'started' }
  | { readonly kind: 'postponed'; readonly inMs: number }
  | { readonly kind: 'stopped' };

const DUE = `
SELECT m.post_id::float8 AS "postId", p.account_id AS "accountId" FROM post_removal m JOIN post p ON p.id = m.post_id
 WHERE m.job_id = $1 AND m.ended_at IS NULL AND m.due_at <= now() + interval '1 millisecond' ORDER BY m.due_at, m.post_id`;

const OPEN =
  'SELECT post_id::float8 AS id FROM post_removal WHERE job_id = $1 AND ended_at IS NULL ORDER BY post_id';

interface SubjectRow extends PostRow {
  removal: Omit<RemovalSubject, 'post' | 'actor'> & Actor;
}

const REMOVAL = `(SELECT json_build_object('sentId', m.sent_id, 'deletesPost', m.deletes_post, 'attempts', m.attempts,
    'isDeleted', p.deleted_at IS NOT NULL, 'userId', k.user_id, 'keyId', m.key_id, 'api', m.api)
   FROM post_removal m JOIN job k ON k.id = m.job_id WHERE m.job_id = $1 AND m.post_id = p.id AND m.ended_at IS NULL)`;

/**
 * Takes the next start time of the account, if it has come and the account has fewer publications
 * in progress than its pace allows, and counts the call. Hand-overs move that time behind the
 * publications.
 * $1: job, $2: its attempt, $3: post, $4: rate bucket, $5: interval in milliseconds, $6: maximum
 * concurrency.
 */
const START_CALL = `
WITH ${LEASE},
removal AS (SELECT FROM post_removal WHERE job_id = $1 AND post_id = $3::bigint AND ended_at IS NULL AND EXISTS (SELECT FROM lease)),
account AS (SELECT count(*) >= $6::int AS "isBusy" FROM job WHERE rate_bucket = $4 AND leased_until > now()),
slot AS (
  INSERT INTO network_rate_bucket AS b (bucket, next_at)
  SELECT $4, clock_timestamp() + $5::int * interval '1 millisecond' FROM removal, account WHERE NOT "isBusy"
      ON CONFLICT (bucket) DO UPDATE SET next_at = excluded.next_at WHERE b.next_at <= clock_timestamp()
  RETURNING bucket
),
counted AS (UPDATE post_removal SET attempts = attempts + 1 WHERE job_id = $1 AND post_id = $3::bigint AND EXISTS (SELECT FROM slot))
SELECT EXISTS (SELECT FROM slot) AS "isStarted", "isBusy",
       (EXTRACT(epoch FROM b.next_at - clock_timestamp()) * 1000)::float8 AS "inMs"
  FROM removal CROSS JOIN account LEFT JOIN network_rate_bucket b ON b.bucket = $4`;
interface StartRow {
  isStarted: boolean;
  isBusy: boolean;
  /**
   * Milliseconds until the next start time of the account, 0 or less if it has come; null if it has
   * none.
   */
  inMs: number | null;
}

/** $1: job, $2: milliseconds, $3: post, or $4: account. */
const POSTPONE = `
UPDATE post_removal m SET due_at = GREATEST(m.due_at, now() + $2::float8 * interval '1 millisecond')
  FROM post p
 WHERE m.job_id = $1 AND p.id = m.post_id AND m.ended_at IS NULL AND (p.id = $3::bigint OR p.account_id = $4::text)`;

interface ProgressRow {
  rejected: readonly JobFailure[];
  failures: readonly JobFailure[];
  removed: number;
  nextInMs: number | null;
}
const PROGRESS = `
SELECT j.failures AS rejected, m.failures, m.removed, m."nextInMs"
  FROM job j, LATERAL (
    SELECT COALESCE(json_agg(failure ORDER BY ended_at, post_id) FILTER (WHERE failure IS NOT NULL), '[]') AS failures,
           (count(*) FILTER (WHERE ended_at IS NOT NULL AND failure IS NULL))::int AS removed,
           (EXTRACT(epoch FROM min(due_at) FILTER (WHERE ended_at IS NULL) - clock_timestamp()) * 1000)::float8 AS "nextInMs"
      FROM post_removal WHERE job_id = j.id) m
 WHERE j.id = $1`;

/**
 * The removals of jobs in PostgreSQL. The change of a post ends its removal (`Change.removals`).
 */
export function createRemovalStore(database: Database) {
  const { columns, join } = toSelectList(ALL_FIELDS);
  const SUBJECT = `SELECT ${columns}, ${REMOVAL} AS removal FROM post p ${join} WHERE p.id = $2`;
  return {
    /** The removals of a job that are due, oldest first. */
    due: (jobId: string) => database.scan<DueRemoval>(DUE, [jobId]),
    /** The posts of a job whose removals have not ended. */
    async open(jobId: string): Promise<readonly number[]> {
      return (await database.scan<{ id: number }>(OPEN, [jobId])).map(({ id }) => id);
    },
    /** Null if the removal has ended, or the post does not exist any more. */
    async find(jobId: string, postId: number): Promise<RemovalSubject | null> {
      const [row] = await readPostRows<SubjectRow>(
        database,
        { text: SUBJECT, values: [jobId, postId] },
        ALL_FIELDS,
      );
      if (!row?.removal) return null;
      const {
        removal: { userId, keyId, api, ...removal },
        ...post
      } = row;
      return {
        ...removal,
        actor: { userId, keyId, api },
        post: toPostView(post as PostRow) as Post,
      };
    },
    /**
     * Counts a call, right before it is made, if the pace of the account allows it. Publications
     * that were handed over come first. They do not wait for a removal in progress.
     */
    async startCall(
      { id, attempt }: JobRun,
      { databaseId, accountId }: Pick<Post, 'databaseId' | 'accountId'>,
      pace: PublicationPace,
    ): Promise<RemovalStart> {
      const bucket = publicationBucketOf(accountId!);
      const { intervalMs, maxConcurrent } = pace;
      const [row] = await database.change<StartRow>(START_CALL, [
        id,
        attempt,
        databaseId,
        bucket,
        intervalMs,
        maxConcurrent,
      ]);
      if (!row) return { kind: 'stopped' };
      if (row.isStarted) return { kind: 'started' };
      // The start time may have come while the statement ran.
      const inMs = row.isBusy ? busyAccountDelayMs(pace) : Math.ceil(row.inMs ?? 0);
      return { kind: 'postponed', inMs: Math.max(1, inMs) };
    },
    /** Delays a removal, or all of the job on an account. */
    async postpone(
      jobId: string,
      removals: { readonly postId: number } | { readonly accountId: string },
      inMs: number,
    ): Promise<void> {
      const [postId, accountId] =
        'postId' in removals ? [removals.postId, null] : [null, removals.accountId];
      await database.change(POSTPONE, [jobId, inMs, postId, accountId]);
    },
    async progressOf(jobId: string): Promise<RemovalProgress> {
      const [row] = await database.read<ProgressRow>(PROGRESS, [jobId]);
      const { rejected, failures, removed, nextInMs } = row!;
      return {
        removed,
        nextInMs: nextInMs === null ? null : Math.max(0, Math.ceil(nextInMs)),
        failures: [...rejected, ...failures],
      };
    },
  };
}
export type RemovalStore = ReturnType<typeof createRemovalStore>;
