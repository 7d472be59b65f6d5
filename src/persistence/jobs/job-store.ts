import type pg from 'pg';
import { IMPORT_BROKE_OFF, type Job, type JobFailure } from '../../domain/jobs/job.js';
import { isPrefixedId } from '../../domain/posts/post-id.js';
import type { JobRecords, JobStore } from '../../services/ports.js';
import type { PrismaClient } from '../prisma/client.js';
import type { Job as JobRow } from '../prisma/client.js';
import { run, type SqlRunner } from '../sql.js';

/** Reads jobs of one workspace; another workspace's job is unknown (D42). */
export function createJobStore(prisma: PrismaClient): JobStore {
  const byIds = async (workspaceId: string, ids: readonly string[]): Promise<Map<string, Job>> => {
    const wellFormed = ids.filter((id) => isPrefixedId('job', id));
    const rows = await prisma.job.findMany({ where: { workspaceId, id: { in: wellFormed } } });
    return new Map(rows.map((row) => [row.id, toJob(row)]));
  };
  return {
    byIds,
    find: async (workspaceId, id) => (await byIds(workspaceId, [id])).get(id) ?? null,
  };
}

/** How long an import may be silent before it counts as broken off: it tells of itself about once a second. */
const IMPORT_SILENCE = "interval '5 minutes'";
const PUT =
  'INSERT INTO job (id, workspace_id, user_id, kind, status, progress, failures, post_id, created_at, finished_at, leased_until) ' +
  `VALUES ($1, $2, $3, $4::job_kind, $5::job_status, $6, $7, $8, $9, $10, CASE $5 WHEN 'working' THEN now() + ${IMPORT_SILENCE} END) ` +
  'ON CONFLICT (id) DO UPDATE SET status = excluded.status, progress = excluded.progress, failures = excluded.failures, finished_at = excluded.finished_at, leased_until = excluded.leased_until';

/** Writes down imports, which their command does; the jobs of a change are saved with it. */
export const createJobRecords = (pool: pg.Pool): JobRecords => ({
  async put(
    { workspaceId, userId },
    { id, kind, status, progress, failures, postId, createdAt, finishedAt },
  ) {
    await run(pool, PUT, [
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
    ]);
  },
});

/** Ends imports whose command was killed. One that was only slow goes on, and works again with the next thing that it tells. */
export async function endSilentImports(sql: SqlRunner): Promise<void> {
  const failures =
    "jsonb_build_array(jsonb_build_object('id', id, 'code', 'INTERNAL_SERVER_ERROR', 'message', $1::text))";
  await run(
    sql,
    `UPDATE job SET status = 'failed', failures = ${failures}, finished_at = now(), leased_until = NULL ` +
      "WHERE kind = 'import' AND status = 'working' AND COALESCE(leased_until, created_at + interval '1 day') < now()",
    [IMPORT_BROKE_OFF],
  );
}

const toJob = ({
  id,
  kind,
  status,
  progress,
  failures,
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
  failures: failures as unknown as JobFailure[], // written by us, from the same type
  postId: postId === null ? null : Number(postId),
});
