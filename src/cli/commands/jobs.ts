import type { Command } from 'commander';
import { enumKeys, JOB_STATUSES, type JobStatus } from '../../domain/enums.js';
import { UsageError, choiceOption, readLimit } from '../arguments.js';
import type { Cli } from '../cli-context.js';
import { formatMinute } from '../terminal.js';
import { listRecords } from './records.js';

/** Adds the commands that list jobs, with the reason of their failure, and retry failed jobs. */
export function addJobCommands(program: Command, cli: Cli): void {
  const jobs = program.command('jobs').description('manage background jobs');
  addListJobs(jobs, cli);
  addRetryJobs(jobs, cli);
}

function addListJobs(jobs: Command, cli: Cli): void {
  jobs
    .command('list')
    .description('list the jobs of all workspaces, newest first (by default, only failed jobs)')
    .addOption(
      choiceOption(
        '--status <status>',
        'status of the jobs',
        enumKeys<JobStatus>(JOB_STATUSES),
      ).default('failed'),
    )
    .option('--limit <count>', 'maximum number of jobs', readLimit, 100)
    .action(({ status, limit }: { status: JobStatus; limit: number }) =>
      listRecords(cli, (context) => context.jobs.list(status, limit), {
        none: `There are no ${status} jobs.`,
        columns: {
          id: ({ id }) => id,
          kind: ({ kind }) => kind,
          attempts: ({ attempts }) => attempts,
          created: ({ createdAt }) => formatMinute(createdAt),
          workspace: ({ workspaceId }) => workspaceId,
          post: ({ postId }) => postId,
          failure: ({ failures: [failure] }) =>
            failure ? `${failure.code}: ${failure.message}` : null,
        },
      }),
    );
}

function addRetryJobs(jobs: Command, { withContext, printResult, markFailed }: Cli): void {
  jobs
    .command('retry')
    .description(
      'retry failed jobs, except imports. This does not publish failed posts: members retry them with the mutation `retryPosts`',
    )
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
