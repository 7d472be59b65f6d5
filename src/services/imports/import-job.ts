import type { ImportReport } from '../../domain/imports/import-report.js';
import { IMPORT_BROKE_OFF, type Job, type JobFailure } from '../../domain/jobs/job.js';
import type { ImportTarget } from './plan-import.js';
import type { Clock, Ids, JobRecords } from '../ports.js';

/** The job by which API clients see an import (D42). */
export interface ImportJob {
  readonly id: string;
  /** Tells how far the import is, 0 to 1; writes at most once a second. */
  progress(done: number): Promise<void>;
  end(report: ImportReport): Promise<void>;
  /** Ends it where the import broke off. */
  abort(): Promise<void>;
}

const WRITE_EVERY_MS = 1_000;

export async function createImportJob(
  { jobs, ids, clock }: { jobs: JobRecords; ids: Ids; clock: Clock },
  { workspaceId, account, member, at }: ImportTarget,
): Promise<ImportJob> {
  let job: Job = {
    id: ids.prefixed('job'),
    kind: 'import',
    status: 'working',
    progress: 0,
    failures: [],
    postId: null,
    createdAt: at,
    finishedAt: null,
  };
  let written = at.getTime();
  const write = async (change: Partial<Job>): Promise<void> => {
    job = { ...job, ...change };
    written = clock.now().getTime();
    await jobs.put({ workspaceId, userId: member.id }, job);
  };
  const failure = (message: string): JobFailure => ({
    id: account.id,
    code: 'RULE_VIOLATION',
    message,
  });
  await write({});
  return {
    id: job.id,
    progress: async (progress) => {
      if (clock.now().getTime() - written >= WRITE_EVERY_MS) await write({ progress });
    },
    end: (report) => {
      const failures = messagesOf(report).map(failure);
      const isNothingDone = report.takenCount + report.alreadyThere === 0;
      const progress = report.malformed || report.stopped ? job.progress : 1;
      return write({
        status: failures.length > 0 && isNothingDone ? 'failed' : 'completed',
        progress,
        failures,
        finishedAt: clock.now(),
      });
    },
    abort: () =>
      write({ status: 'failed', failures: [failure(IMPORT_BROKE_OFF)], finishedAt: clock.now() }),
  };
}

/** Why not everything came in, in sentences. */
function messagesOf({ malformed, failed, failedCount, stopped }: ImportReport): string[] {
  const messages = failed.map(
    ({ title, sourceId, message }) => `${JSON.stringify(title)} (${sourceId}): ${message}`,
  );
  if (failedCount > failed.length)
    messages.push(`${failedCount - failed.length} more items could not be saved.`);
  if (malformed)
    messages.push(
      `The file cannot be read on from line ${malformed.position.line}, column ${malformed.position.column} (byte ${malformed.position.byte}): ${malformed.reason}`,
    );
  if (stopped) messages.push('The import was stopped before the end.');
  return messages;
}
