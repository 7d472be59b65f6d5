import type { JobStatus } from '../../domain/enums.js';
import {
  IMPORT_INTERRUPTED,
  type Job,
  type JobFailure,
  type JobResult,
  type AdminJob,
} from '../../domain/jobs/job.js';
import { isPrefixedId } from '../../domain/posts/post.js';
import { storedStateNumbers } from '../../domain/posts/states.js';
import type { PublicationError } from '../../domain/publishing/publication-record.js';
import { PUBLISHABLE_STATES } from '../../domain/publishing/publication.js';
import type { Database } from '../database.js';
import { IS_LOCKED } from '../publishing/due-conditions.js';
import { JOB_COLUMNS, insertRecordEvents } from '../events/insert-events.js';
import { WAKE_WORKERS } from './job-wakeups.js';
import type { Job as JobRow } from '../prisma/client.js';
import { Parameters, type Sql } from '../sql.js';

/** A post as the job that follows its publication sees it. Deleted posts are absent. */
export interface FollowedPost {
  readonly databaseId: number;
  /** Document ID (D3). */
  readonly id: string;
  readonly accountId: string;
  /** Whether it is being published, or is due: it waits for no person and for no later time. */
  readonly isOpen: boolean;
  /** Why it was not published, or not known to be; null if it was, or if that is not decided. */
  readonly error: PublicationError | null;
}

/** How far the posts of a job are, which are published at once. */
export interface FollowedPosts {
  readonly result: JobResult;
  readonly posts: readonly FollowedPost[];
  /** Milliseconds since the job was created. */
  readonly ageMs: number;
}

/** Reads what became of the posts of jobs. */
export interface FollowedPostsStore {
  /** Null if the job has no posts. */
  progressOf(jobId: string): Promise<FollowedPosts | null>;
}

/** Jobs as API clients see them. */
export interface JobStore {
  find(workspaceId: string, id: string): Promise<Job | null>;
  byIds(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Job>>;
}

/** Saves jobs that run outside the queue: imports. */
export interface JobWriter {
  /** Inserts the job, or updates the one with that ID. */
  save(owner: { workspaceId: string; userId: string }, job: Job): Promise<void>;
}

/**
 * Administration of all workspaces' jobs. Failed jobs are dead letters: they are retried only on
 * request.
 */
export interface JobAdmin {
  /** Newest first. */
  list(status: JobStatus, max: number): Promise<AdminJob[]>;
  /**
   * Enqueues failed jobs as if they were new; returns the IDs of those enqueued. Imports are
   * restarted with their own command instead.
   */
  retry(ids: readonly string[] | 'all_failed'): Promise<string[]>;
}

const LIST =
  'SELECT j.id, j.workspace_id AS "workspaceId", j.kind, j.status, j.progress, j.failures, j.attempts, ' +
  'j.due_at AS "dueAt", j.created_at AS "createdAt", j.finished_at AS "finishedAt", p.doc_id AS "postId" ' +
  'FROM job j LEFT JOIN post p ON p.id = j.post_id WHERE j.status = $1::job_status ORDER BY j.created_at DESC, j.id DESC LIMIT $2';

const RETRY =
  "UPDATE job SET status = 'working', attempts = 0, progress = 0, failures = '[]', finished_at = NULL, due_at = now(), attempt_at = NULL " +
  `WHERE status = 'failed' AND kind <> 'import' AND ($1::text[] IS NULL OR id = ANY($1)) RETURNING id, ${WAKE_WORKERS}`;

async function retry(sql: Sql, ids: readonly string[] | null): Promise<string[]> {
  const retried = (await sql<{ id: string }>(RETRY, [ids])).map(({ id }) => id);
  // Only posts whose status still refers to the job: a later change has another job.
  await sql(
    "UPDATE post_sync SET status = 'pending', error = NULL WHERE job_id = ANY($1::text[])",
    [retried],
  );
  return retried;
}

/** Lists and retries jobs for operators. */
export const createJobAdmin = (database: Database): JobAdmin => ({
  list: (status, max) => database.scan<AdminJob>(LIST, [status, max]),
  retry: (ids) => database.transaction((sql) => retry(sql, ids === 'all_failed' ? null : ids)),
});

/** A reminder that was handed over waits for a person (D58), a locked workspace for an operator. */
const IS_OPEN =
  `p.stored_state IN (${storedStateNumbers(PUBLISHABLE_STATES).join(', ')}) AND p.scheduled_at <= GREATEST(now(), j.created_at) ` +
  `AND NOT (p.reminder AND p.queued_at IS NOT NULL) AND (p.queued_at IS NOT NULL OR NOT ${IS_LOCKED})`;

const POSTS = `
SELECT COALESCE(json_agg(json_build_object(
         'databaseId', p.id, 'id', p.doc_id, 'accountId', p.account_id, 'isOpen', ${IS_OPEN},
         'error', CASE WHEN u.result <> 'published' THEN u.error END) ORDER BY listed.position), '[]')
  FROM jsonb_array_elements(j.result->'posts') WITH ORDINALITY AS listed(post, position)
  JOIN post p ON p.id = (listed.post->>'databaseId')::bigint AND p.deleted_at IS NULL
  LEFT JOIN publication u ON u.post_id = p.id`;

const PROGRESS = `
SELECT j.result, (${POSTS}) AS posts,
       GREATEST(0, EXTRACT(epoch FROM clock_timestamp() - j.created_at) * 1000)::float8 AS "ageMs"
  FROM job j WHERE j.id = $1 AND j.result IS NOT NULL`;

/** Reads the posts of jobs. */
export const createFollowedPostsStore = (database: Database): FollowedPostsStore => ({
  async progressOf(jobId) {
    const [row] = await database.scan<
      Pick<FollowedPosts, 'result' | 'ageMs'> & { posts: readonly FollowedPost[] }
    >(PROGRESS, [jobId]);
    return row ?? null;
  },
});

/** Reads the jobs of one workspace; jobs of other workspaces are unknown (D42). */
export function createJobStore({ prisma, acknowledge }: Database): JobStore {
  const byIds = async (workspaceId: string, ids: readonly string[]): Promise<Map<string, Job>> => {
    const wellFormed = ids.filter((id) => isPrefixedId('job', id));
    const rows = await prisma.job.findMany({ where: { workspaceId, id: { in: wellFormed } } });
    return new Map(rows.map((row) => [row.id, toJob(row)]));
  };
  return {
    byIds,
    async find(workspaceId, id) {
      const job = (await byIds(workspaceId, [id])).get(id) ?? null;
      if (job) await acknowledge(); // it shows what the job has changed
      return job;
    },
  };
}

/**
 * An import without progress for this long counts as interrupted; it reports about once a second.
 */
const IMPORT_TIMEOUT = "interval '5 minutes'";
const UPSERT_JOB =
  'INSERT INTO job (id, workspace_id, user_id, kind, status, progress, failures, post_id, created_at, finished_at, leased_until) ' +
  `VALUES ($1, $2, $3, $4::job_kind, $5::job_status, $6, $7, $8, $9, $10, CASE $5 WHEN 'working' THEN now() + ${IMPORT_TIMEOUT} END) ` +
  'ON CONFLICT (id) DO UPDATE SET status = excluded.status, progress = excluded.progress, failures = excluded.failures, finished_at = excluded.finished_at, leased_until = excluded.leased_until';
const FINISHED = `SELECT ${JOB_COLUMNS} FROM saved WHERE status <> 'working'`;

/** Stores the jobs of imports. Jobs of a change are saved with the change. */
export const createJobWriter = (database: Database): JobWriter => ({
  async save(
    { workspaceId, userId },
    { id, kind, status, progress, failures, postId, createdAt, finishedAt },
  ) {
    const parameters = new Parameters(
      id,
      workspaceId,
      userId,
      kind,
      status,
      progress,
      JSON.stringify(failures),
      postId,
      createdAt,
      finishedAt,
    );
    const actor = { userId, keyId: null, api: 'import' } as const;
    const events = insertRecordEvents(
      { type: 'job.finished', rows: 'finished', actor },
      parameters,
    );
    await database.change(
      `WITH saved AS (${UPSERT_JOB} RETURNING *), finished AS (${FINISHED}) ${events}`,
      parameters.values,
    );
  },
});

/**
 * Fails imports whose command was killed. An import that was only slow continues: its next report
 * sets it to working again.
 */
export async function failInterruptedImports(sql: Sql): Promise<void> {
  const failures =
    "jsonb_build_array(jsonb_build_object('id', id, 'code', 'INTERNAL_SERVER_ERROR', 'message', $1::text))";
  const parameters = new Parameters(IMPORT_INTERRUPTED);
  const events = insertRecordEvents({ type: 'job.finished', rows: 'failed' }, parameters);
  await sql(
    `WITH failed AS (UPDATE job SET status = 'failed', failures = ${failures}, finished_at = now(), leased_until = NULL ` +
      `WHERE kind = 'import' AND status = 'working' AND COALESCE(leased_until, created_at + interval '1 day') < now() RETURNING ${JOB_COLUMNS}) ${events}`,
    parameters.values,
  );
}

const toJob = ({
  id,
  kind,
  status,
  progress,
  failures,
  result,
  postId,
  createdAt,
  finishedAt,
}: JobRow): Job => ({
  id,
  kind,
  status,
  progress,
  createdAt,
  finishedAt,
  failures: failures as unknown as JobFailure[], // written by us, from the same types
  result: result as JobResult | null,
  postId: postId === null ? null : Number(postId),
});
