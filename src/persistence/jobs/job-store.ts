import {
  IMPORT_INTERRUPTED,
  type Job,
  type JobFailure,
  type JobResult,
} from '../../domain/jobs/job.js';
import { isPrefixedId } from '../../domain/posts/post-id.js';
import type { JobWriter, JobStore } from '../../services/jobs/job-ports.js';
import type { Database } from '../database.js';
import type { Job as JobRow } from '../prisma/client.js';
import { insertRecordEvents, JOB_COLUMNS } from '../events/insert-events.js';
import { Parameters, type Sql } from '../sql.js';

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
