import { InvalidArgumentError, Option, type Command } from 'commander';
import { JOB_STATUSES, enumKeys, type JobStatus } from '../../domain/enums.js';
import type { AdminJob } from '../../domain/jobs/job.js';
import { UsageError } from '../cli-error.js';
import type { Cli } from '../cli-context.js';
import { formatMinute, formatTable } from '../text-table.js';

const MAX_LISTED_JOBS = 10_000;

/** Adds the commands that list jobs, with the reason of their failure, and retry failed jobs. */
export function addJobCommands(program: Command, cli: Cli): void {
  const jobs = program.command('jobs').description('manage background jobs');
  addListJobs(jobs, cli);
  addRetryJobs(jobs, cli);
}

function addListJobs(jobs: Command, { withContext, printResult }: Cli): void {
  jobs
    .command('list')
    .description('list the jobs of all workspaces, newest first (by default, only failed jobs)')
    .addOption(
      new Option('--status <status>', 'status of the jobs')
        .choices(enumKeys<JobStatus>(JOB_STATUSES))
        .default('failed'),
    )
    .option('--limit <count>', 'maximum number of jobs', readLimit, 100)
    .action(({ status, limit }: { status: JobStatus; limit: number }) =>
      withContext(
        async ({ jobs: jobAdmin }) => {
          const entries = await jobAdmin.list(status, limit);
          printResult(
            entries,
            entries.length === 0 ? `There are no ${status} jobs.` : formatJobs(entries),
          );
        },
        { readsOnly: true },
      ),
    );
}

function addRetryJobs(jobs: Command, { withContext, printResult, markFailed }: Cli): void {
  jobs
    .command('retry')
    .description('retry failed jobs')
    .argument('[ids...]', 'IDs of the jobs (job_…)')
    .option('--all', 'retry all failed jobs', false)
    .action(async (ids: string[], { all }: { all: boolean }) => {
      if (all === ids.length > 0) throw new UsageError('Pass either job IDs or --all');
      await withContext(async ({ jobs: jobAdmin }) => {
        const retried = await jobAdmin.retry(all ? 'all_failed' : ids);
        const notRetried = ids.filter((id) => !retried.includes(id));
        const notes = notRetried.map((id) => `${id} is not a failed job that can be retried`);
        printResult(
          { retried, notRetried },
          [`Retrying ${retried.length} ${retried.length === 1 ? 'job' : 'jobs'}.`, ...notes].join(
            '\n',
          ),
        );
        if (notRetried.length > 0) markFailed();
      });
    });
}

const formatJobs = (entries: readonly AdminJob[]): string =>
  formatTable(
    ['id', 'kind', 'attempts', 'created', 'workspace', 'post', 'failure'],
    entries.map(({ id, kind, attempts, createdAt, workspaceId, postId, failures: [failure] }) => [
      id,
      kind,
      attempts,
      formatMinute(createdAt),
      workspaceId,
      postId,
      failure ? `${failure.code}: ${failure.message}` : null,
    ]),
  );

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > MAX_LISTED_JOBS)
    throw new InvalidArgumentError(`Must be an integer from 1 to ${MAX_LISTED_JOBS}.`);
  return Number(text);
}
