import type { Finding, JobFacts } from '../../domain/diagnostics/diagnostic-facts.js';

/** Workers start due jobs almost immediately, and most end within seconds: more is a problem. */
const MAX_LAG_SECONDS = 60;

/** Checks that jobs are run in time, and lists failures. */
export function jobFindings(jobs: JobFacts): Finding[] {
  const isLate = jobs.oldestDueSeconds > MAX_LAG_SECONDS;
  return [workersFinding(jobs, isLate), queueFinding(jobs, isLate), failedJobsFinding(jobs)];
}

function workersFinding({ workers }: JobFacts, isLate: boolean): Finding {
  const subject = 'workers';
  return workers > 0
    ? {
        status: 'ok',
        subject,
        message: workers === 1 ? '1 process runs jobs' : `${workers} processes run jobs`,
      }
    : {
        status: isLate ? 'fail' : 'warn',
        subject,
        message: 'no process runs jobs',
        advice: 'Start a gateway (with JOB_CONCURRENCY above 0) or a worker.',
      };
}

function queueFinding({ workers, due, oldestDueSeconds }: JobFacts, isLate: boolean): Finding {
  const subject = 'queue';
  const message = `${due} due; the oldest due or running job has been due for ${Math.round(oldestDueSeconds)} s`;
  if (!isLate) return { status: 'ok', subject, message: due > 0 ? message : 'no jobs are due' };
  return {
    status: 'warn',
    subject,
    message,
    advice:
      workers > 0
        ? 'Start more workers or raise JOB_CONCURRENCY. The rate limit of a network or a job that hangs can also be the cause: see the log of the workers.'
        : 'Start a worker.',
  };
}

function failedJobsFinding({ failed }: JobFacts): Finding {
  const subject = 'failed jobs';
  return failed > 0
    ? {
        status: 'warn',
        subject,
        message: `${failed}`,
        advice: 'Run `jobs list` to see the reasons and `jobs retry` to retry them.',
      }
    : { status: 'ok', subject, message: 'none' };
}
