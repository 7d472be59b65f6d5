import type { Job, JobFailure } from '../domain/job.js';
import { isPrefixedId } from '../domain/post-id.js';
import type { JobRecords, JobStore } from '../services/ports.js';
import type { PrismaClient } from './prisma/client.js';
import type { Job as JobRow } from './prisma/client.js';

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

/** Writes down jobs that are the gateway's own work; those of a change are saved with it. */
export const createJobRecords = (prisma: PrismaClient): JobRecords => ({
  async put({ workspaceId, userId }, { id, status, progress, failures, finishedAt, ...fixed }) {
    const state = { status, progress, finishedAt, failures: failures.map((failure) => ({ ...failure })) };
    await prisma.job.upsert({ where: { id }, create: { ...fixed, ...state, id, workspaceId, userId }, update: state, select: { id: true } });
  },
});

const toJob = ({ id, kind, status, progress, failures, postId, createdAt, finishedAt }: JobRow): Job => ({
  id, kind, status, progress, createdAt, finishedAt,
  failures: failures as unknown as JobFailure[], // written by us, from the same type
  postId: postId === null ? null : Number(postId),
});
