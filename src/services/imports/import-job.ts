import type { ImportReport } from '../../domain/imports/import-report.js';
import { IMPORT_INTERRUPTED, type Job, type JobFailure } from '../../domain/jobs/job.js';
import type { ImportTarget } from './import-target.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { JobWriter } from '../jobs/job-ports.js';

/** The job that represents an import in the APIs (D42). */
export interface ImportJob {
  readonly id: string;
  /** Records the progress, 0 to 1; writes at most once per second. */
  progress(done: number): Promise<void>;
  end(report: ImportReport): Promise<void>;
  /** Marks the job of an interrupted import as failed. */
  abort(): Promise<void>;
}

const MIN_WRITE_INTERVAL_MS = 1_000;

/** Creates the job of an import and saves it. */
export async function createImportJob(
  { jobs, ids, clock }: { jobs: JobWriter; ids: Ids; clock: Clock },
  { workspaceId, account, member, at }: ImportTarget,
): Promise<ImportJob> {
  let job: Job = {
    id: ids.prefixed('job'),
    kind: 'import',
    status: 'working',
    progress: 0,
    failures: [],
    result: null,
    postId: null,
    createdAt: at,
    finishedAt: null,
  };
  let writtenAt = at.getTime();
  const write = async (change: Partial<Job>): Promise<void> => {
    job = { ...job, ...change };
    writtenAt = clock.now().getTime();
    await jobs.save({ workspaceId, userId: member.id }, job);
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
      if (clock.now().getTime() - writtenAt >= MIN_WRITE_INTERVAL_MS) await write({ progress });
    },
    end: (report) => {
      const failures = messagesOf(report).map(failure);
      const hasNoPosts = report.importedCount + report.alreadyImported === 0;
      const progress = report.malformed || report.stopped ? job.progress : 1;
      return write({
        status: failures.length > 0 && hasNoPosts ? 'failed' : 'completed',
        progress,
        failures,
        finishedAt: clock.now(),
      });
    },
    abort: () =>
      write({ status: 'failed', failures: [failure(IMPORT_INTERRUPTED)], finishedAt: clock.now() }),
  };
}

/** One message for each reason for which posts were not imported. */
function messagesOf({ malformed, failed, failedCount, stopped }: ImportReport): string[] {
  const messages = failed.map(
    ({ title, sourceId, message }) => `${JSON.stringify(title)} (${sourceId}): ${message}`,
  );
  if (failedCount > failed.length)
    messages.push(`${failedCount - failed.length} more items could not be saved.`);
  if (malformed)
    messages.push(
      `Reading the file failed at line ${malformed.position.line}, column ${malformed.position.column} (byte ${malformed.position.byte}): ${malformed.reason}`,
    );
  if (stopped) messages.push('The import was stopped before the end.');
  return messages;
}
