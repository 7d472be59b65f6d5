import type { JobFailure } from '../../domain/jobs/job.js';
import type { Actor } from '../../domain/events/actor.js';
import type { Post } from '../../domain/posts/post.js';
import type {
  DueRemoval,
  RemovalStore,
  RemovalSubject,
} from '../../services/removals/removal-ports.js';
import type { Database } from '../database.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';
import { ALL_FIELDS, toSelectList } from '../posts/post-select-list.js';
import { readPostRows } from '../posts/related-rows.js';
import { busyAccountDelayMs, publicationBucketOf } from './publication-ledger.js';
import { LEASE } from './publication-writes.js';

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

/** The removals of jobs in PostgreSQL. */
export function createRemovalStore(database: Database): RemovalStore {
  const { columns, join } = toSelectList(ALL_FIELDS);
  const SUBJECT = `SELECT ${columns}, ${REMOVAL} AS removal FROM post p ${join} WHERE p.id = $2`;
  return {
    due: (jobId) => database.scan<DueRemoval>(DUE, [jobId]),
    async open(jobId) {
      return (await database.scan<{ id: number }>(OPEN, [jobId])).map(({ id }) => id);
    },
    async find(jobId, postId) {
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
    async startCall({ id, attempt }, { databaseId, accountId }, pace) {
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
    async postpone(jobId, removals, inMs) {
      const [postId, accountId] =
        'postId' in removals ? [removals.postId, null] : [null, removals.accountId];
      await database.change(POSTPONE, [jobId, inMs, postId, accountId]);
    },
    async progressOf(jobId) {
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
