import type { Post } from '../../domain/posts/post.js';
import type { PublicationLedger } from '../../services/publishing/publishing-ports.js';
import type { JobRun } from '../../services/jobs/job-ports.js';
import type { Database } from '../database.js';
import { LEASE_SECONDS } from '../jobs/job-claims.js';
import { callRows, toCallRows } from '../shared-statements/statement-sharing.js';
import { busyAccountDelayMs, publicationBucketOf } from './publication-buckets.js';

/**
 * What a statement does about rows that another transaction has locked: nothing is to wait for
 * them.
 */
type Locked = 'SKIP LOCKED' | '';

/**
 * The calls of a statement, each with the row of its job, which is locked until the statement ends.
 * Subqueries that lock rows are run for each call, with an index.
 */
const leased = (columns: string, locked: Locked): string => `
leased AS MATERIALIZED (
  SELECT a.*, j.is_held, j.due_at FROM ${callRows(`"jobId" text, "jobAttempt" int, "postId" bigint, ${columns}`)} a, LATERAL (
    SELECT attempts = a."jobAttempt" AND status = 'working' AND leased_until IS NOT NULL AS is_held, due_at
      FROM job WHERE id = a."jobId" FOR NO KEY UPDATE ${locked}
  ) j
)`;

/**
 * Opens attempts of the jobs that hold their lease, as many for each account as its pace allows,
 * those that were due first. Returns no number for the others. Locks the rows of the posts as the
 * foreign key of the attempts does.
 */
const start = (locked: Locked): string => `
WITH ${leased('bucket text, "maxConcurrent" int', locked)},
busy AS (
  SELECT b.bucket, count(*) AS jobs FROM (SELECT DISTINCT bucket FROM leased) b JOIN job j ON j.rate_bucket = b.bucket
   WHERE j.leased_until > now() AND j.id <> ALL (SELECT "jobId" FROM leased) GROUP BY b.bucket
),
present AS MATERIALIZED (SELECT l.* FROM leased l, LATERAL (SELECT FROM post WHERE id = l."postId" FOR KEY SHARE ${locked}) p),
started AS MATERIALIZED (
  SELECT s.* FROM (
    SELECT l.*, row_number() OVER (PARTITION BY bucket ORDER BY due_at, "jobId") AS nth FROM present l WHERE is_held
  ) s LEFT JOIN busy USING (bucket) WHERE nth + COALESCE(busy.jobs, 0) <= "maxConcurrent"
),
marked AS (UPDATE job j SET rate_bucket = s.bucket FROM started s WHERE j.id = s."jobId"),
kept AS (SELECT t.post_id, t.number FROM started s JOIN publication_attempt t ON t.post_id = s."postId" WHERE t.finished_at IS NULL),
counted AS (
  UPDATE publication u SET attempts = attempts + 1 FROM started s
   WHERE u.post_id = s."postId" AND u.job_id = s."jobId" AND NOT EXISTS (SELECT FROM kept WHERE kept.post_id = u.post_id)
  RETURNING u.post_id, u.attempts
),
opened AS (INSERT INTO publication_attempt (post_id, number) SELECT post_id, attempts FROM counted RETURNING post_id, number)
SELECT l.n, COALESCE(opened.number, kept.number) AS number
  FROM present l LEFT JOIN opened ON opened.post_id = l."postId" LEFT JOIN kept ON kept.post_id = l."postId"`;

/**
 * Arms attempts, of the jobs that hold their lease and the posts that are as they were read. The
 * row of the post is updated, so that a change of it that was decided before fails. Without
 * `since`, the post is sent; an attempt that only looks does not count, and how late the post is
 * counts from now.
 */
const arm = (locked: Locked): string => `
WITH ${leased('version int, "queuedAt" timestamptz, number int, guarantee delivery_guarantee, handle jsonb, since timestamptz', locked)},
target AS MATERIALIZED (
  SELECT l.*, p.is_ready FROM leased l, LATERAL (
    SELECT l.is_held AND version = l.version AND queued_at = l."queuedAt" AND armed_at IS NULL AND deleted_at IS NULL
           AND EXISTS (SELECT FROM publication_attempt t WHERE t.post_id = l."postId" AND t.number = l.number AND t.finished_at IS NULL) AS is_ready
      FROM post WHERE id = l."postId" FOR NO KEY UPDATE ${locked}
  ) p
),
renewed AS (
  UPDATE job j SET leased_until = now() + interval '${LEASE_SECONDS} seconds' FROM target t
   WHERE j.id = t."jobId" AND t.is_ready AND j.leased_until < now() + interval '${LEASE_SECONDS / 2} seconds'
),
armed AS (UPDATE post p SET armed_at = clock_timestamp() FROM target t WHERE p.id = t."postId" AND t.is_ready RETURNING p.id, p.armed_at),
uncounted AS (
  UPDATE publication u SET earlier_attempts = attempts, handed_over_at = now() FROM target t
   WHERE u.post_id = t."postId" AND t.is_ready AND t.since IS NOT NULL
),
written AS (
  UPDATE publication_attempt o SET armed_at = COALESCE(t.since, armed.armed_at), is_sent = t.since IS NULL, guarantee = t.guarantee, handle = t.handle
    FROM target t JOIN armed ON armed.id = t."postId" WHERE o.post_id = t."postId" AND o.number = t.number AND o.finished_at IS NULL
  RETURNING o.post_id, o.armed_at
)
SELECT t.n, written.armed_at AS at FROM target t LEFT JOIN written ON written.post_id = t."postId"`;

/** The job and the post that a call is about. */
interface AttemptCall {
  readonly jobId: string;
  readonly jobAttempt: number;
  readonly postId: number;
}
const callOf = (
  { id, attempt }: Pick<JobRun, 'id' | 'attempt'>,
  { databaseId }: Pick<Post, 'databaseId'>,
): AttemptCall => ({ jobId: id, jobAttempt: attempt, postId: databaseId });

/**
 * Runs a statement for calls that share it. `absent`: the result if the job or the post is gone.
 */
function sharedBy<Call extends AttemptCall, Row extends { n: number }, Result>(
  database: Database,
  statement: (locked: Locked) => string,
  { toResult, absent }: { toResult: (row: Row) => Result; absent: Result },
): (call: Call) => Promise<Result> {
  const [shared, waiting] = [statement('SKIP LOCKED'), statement('')];
  async function runAll(text: string, calls: readonly Call[]): Promise<(Result | undefined)[]> {
    const rows = await database.change<Row>(text, [toCallRows(calls)]);
    const results = new Map(rows.map((row) => [row.n, toResult(row)]));
    return calls.map((_, n) => results.get(n));
  }
  return database.share<Call, Result>({
    together: (calls) => runAll(shared, calls),
    alone: async (call) => (await runAll(waiting, [call]))[0] ?? absent,
  });
}

type StartCall = AttemptCall & { readonly bucket: string; readonly maxConcurrent: number };
type ArmCall = AttemptCall &
  Pick<Post, 'version' | 'queuedAt'> &
  Omit<Parameters<PublicationLedger['arm']>[2], 'mayBeLiveSince'> & { readonly since: Date | null };

/** Starts and arms attempts to publish posts; concurrent callers share statements. */
export function createAttempts(database: Database): Pick<PublicationLedger, 'start' | 'arm'> {
  const startOne = sharedBy<
    StartCall,
    { n: number; number: number | null },
    { number: number | null }
  >(database, start, { toResult: ({ number }) => ({ number }), absent: { number: null } });
  const armOne = sharedBy<ArmCall, { n: number; at: Date | null }, { at: Date | null }>(
    database,
    arm,
    {
      toResult: ({ at }) => ({ at }),
      absent: { at: null },
    },
  );
  return {
    async start(jobRun, post, pace) {
      const { number } = await startOne({
        ...callOf(jobRun, post),
        bucket: publicationBucketOf(post.accountId!),
        maxConcurrent: pace.maxConcurrent,
      });
      return number === null
        ? { kind: 'postponed', inMs: busyAccountDelayMs(pace) }
        : { kind: 'started', number };
    },
    async arm(jobRun, post, { mayBeLiveSince = null, ...attempt }) {
      const { version, queuedAt } = post;
      const { at } = await armOne({
        ...callOf(jobRun, post),
        ...attempt,
        version,
        queuedAt,
        since: mayBeLiveSince,
      });
      return at;
    },
  };
}
